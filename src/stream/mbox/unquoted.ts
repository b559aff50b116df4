const QUOTED = Buffer.from('>From ');
const LF = 0x0a;
const MORE = 0x3e;

/**
 * Returns the bytes of a mail as they were before they were put into a mailbox: of each line of its body that begins with
 * `>From `, `>>From ` and so on, the first `>` is taken away. `body`: where the body begins.
 */
export function unquoted(mail: Buffer, body: number): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  for (let at = mail.indexOf(QUOTED, body); at >= 0; at = mail.indexOf(QUOTED, at + 1)) {
    const line = lineStart(mail, at);
    if (line < body || (line > 0 && mail[line - 1] !== LF)) continue;
    parts.push(mail.subarray(kept, line));
    kept = line + 1;
  }
  return parts.length === 0 ? mail : Buffer.concat([...parts, mail.subarray(kept)]);
}

/** Returns where the run of `>` begins that ends at `at`. */
function lineStart(mail: Buffer, at: number): number {
  let start = at;
  while (mail[start - 1] === MORE) start -= 1;
  return start;
}
