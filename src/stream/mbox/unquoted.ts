const QUOTED = Buffer.from('>From ');
const LF = 0x0a;
const MORE = 0x3e;

/**
 * Returns the bytes of a mail as they were before they were put into a mailbox: of each line of its body that begins with
 * `>From `, `>>From ` and so on, the first `>` is taken away. `body`: where the body begins.
 */
export function unquoted(mail: Buffer, body: number): Buffer {
  const first = mail.indexOf(QUOTED, body);
  if (first < 0) return mail;
  const out = Buffer.allocUnsafe(mail.length);
  let [kept, length] = [0, 0];
  for (let at = first; at >= 0; at = mail.indexOf(QUOTED, at + 1)) {
    const line = lineStart(mail, at);
    if (line < body || (line > 0 && mail[line - 1] !== LF)) continue;
    length += mail.copy(out, length, kept, line);
    kept = line + 1;
  }
  length += mail.copy(out, length, kept);
  return out.subarray(0, length);
}

/** Returns where the run of `>` begins that ends at `at`. */
function lineStart(mail: Buffer, at: number): number {
  let start = at;
  while (mail[start - 1] === MORE) start -= 1;
  return start;
}
