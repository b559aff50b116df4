/** A mail of a mailbox, as it is written here: what tells one from another, and when it was sent. */
export interface MailParts {
  readonly id: string;
  readonly text?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly date?: Date;
}

/** Returns a mail as a server delivers it. */
export function mailText({ id, text = 'Nothing new.', subject = 'Hello', from, date = new Date() }: MailParts): string {
  return [
    `From: ${from ?? 'Roof & Sons <billing@roof.example>'}`,
    'To: robin@sample.example',
    `Subject: ${subject}`,
    `Date: ${date.toUTCString()}`,
    `Message-ID: <${id}@roof.example>`,
    '',
    text,
    '',
  ].join('\n');
}

/** Returns a mailbox with these mails. */
export function mailbox(...mails: readonly string[]): string {
  return mails.map((mail) => `From - Mon Nov 20 09:00:00 2034\n${mail}\n`).join('');
}

/** Returns a mail that says that the task `pay` is done. */
export function paidMail(id: string): string {
  return mailText({
    id,
    subject: '[[pay]] your payment',
    text: `Hello Robin, [[pay]] has been paid (${id}). Thank you.`,
  });
}
