// Parses each mail of a folder, and writes what it found into a file of its own, durably: the least that any reader does.
import fs from 'node:fs';
import path from 'node:path';
import PostalMime from 'postal-mime';

const [folder = ''] = process.argv.slice(2);
const found = `${folder}-found`;
fs.mkdirSync(found);
const [before, used] = [performance.now(), process.cpuUsage()];
for (const name of fs.readdirSync(folder)) {
  const { from, subject, date, text } = await PostalMime.parse(fs.readFileSync(path.join(folder, name)));
  const note = `---\nfrom: ${from?.address}\nsubject: ${subject}\ndate: ${date}\n---\n${text}`;
  fs.writeFileSync(path.join(found, `${name}.md`), note, { flush: true });
}
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ ms: performance.now() - before, cpu: (user + system) / 1000 }));
