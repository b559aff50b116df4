const FIRST = Date.UTC(2035, 2, 1);

/** A mail that differs from the others by its number: short or long, plain or with HTML, as a person gets them. `first` is when the first was sent. */
export function numberedMail(nth: number, first = FIRST): string {
  const head = [
    `Received: from mail.sender${nth % 97}.example by mx.home.example; Thu, 01 Mar 2035 08:00:00 +0000`,
    `From: Sender ${nth % 97} <sender${nth % 97}@sender${nth % 97}.example>`,
    'To: sam@home.example',
    `Subject: Number ${nth}`,
    `Date: ${new Date(first + nth * 1000).toUTCString()}`,
    `Message-ID: <number-${nth}@sender${nth % 97}.example>`,
    'MIME-Version: 1.0',
  ];
  const words = `Hello Sam,\n\nthis is letter ${nth}.\nFrom now on it is a little longer.\n${'One line more, as they come.\n'.repeat(nth % 40)}`;
  if (nth % 4 > 0) return [...head, 'Content-Type: text/plain; charset=utf-8', '', words].join('\n');
  const part = (type: string, text: string) => `--b\nContent-Type: text/${type}; charset=utf-8\n\n${text}\n`;
  const html = `<html><body style="font:14px Arial"><p>${words.replaceAll('\n', '<br>\n')}</p></body></html>`;
  const parts = `${part('plain', words)}${part('html', html)}--b--\n`;
  return [...head, 'Content-Type: multipart/alternative; boundary=b', '', parts].join('\n');
}

/** A mail as it stands in a mailbox (mboxrd): below a postmark, its `From ` lines quoted, above a blank line. */
export function inMailbox(mail: string, postmark = 'From sam@home.example Thu Mar  1 08:00:00 2035'): string {
  const end = mail.search(/\r?\n\r?\n/);
  const [head, body] = end < 0 ? [mail, ''] : [mail.slice(0, end), mail.slice(end)];
  const quoted = body.replace(/^(?=>*From )/gm, '>');
  const text = `${postmark}\n${head}${quoted}`;
  return text.endsWith('\n') ? `${text}\n` : `${text}\n\n`;
}
