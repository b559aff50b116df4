// The other writer of a race: a separate process that knows nothing of the steward. Each line on stdin,
// "kind note token wait", asks for one write: after `wait` microseconds the token goes into the note, the way one kind
// of editor does it.
import fs from 'node:fs';
import readline from 'node:readline';

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [kind = '', note = '', token = '', wait = '0'] = line.split('\t');
  const until = process.hrtime.bigint() + BigInt(wait) * 1000n;
  while (process.hrtime.bigint() < until);
  // An editor writes the text in its window, which it read a moment ago.
  write(kind, note, read(note), token);
  process.stdout.write(`${token}\n`);
});

function write(kind: string, note: string, text: string, token: string): void {
  if (kind === 'append') fs.appendFileSync(note, `${token}\n`);
  else if (kind === 'in place') fs.writeFileSync(note, `${text}${token}\n`);
  else {
    const part = `${note}.editor~`;
    fs.writeFileSync(part, `${text}${token}\n`);
    fs.renameSync(part, note);
  }
}

// Without the exchange the name is missing for an instant; an editor does not take a missing note for an empty one.
function read(note: string): string {
  for (let tries = 0; ; tries += 1) {
    try {
      return fs.readFileSync(note, 'utf8');
    } catch (error) {
      if (tries > 10_000) throw error;
    }
  }
}
