// What a person would write in an evening: chokidar, gray-matter and one CronJob a matter. It reads each note and keeps its
// frontmatter, follows what changes, and would print the matter's name when it is due. It keeps nothing on disk.
// Plain JavaScript: taking the types out of a file costs Node 40 ms of processor time, which would flatter whoever is compared.
import fs from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { CronJob } from 'cron';
import matter from 'gray-matter';

const [root = ''] = process.argv.slice(2);
const notes = new Map();
const jobs = new Map();
let isReady = false;

function read(file) {
  if (!file.endsWith('.md')) return;
  notes.set(file, matter(fs.readFileSync(file, 'utf8'), {}).data); // without options it would keep every text for ever
  if (isReady) schedule(file);
}

function schedule(file) {
  jobs.get(file)?.stop();
  if (notes.get(file).type !== 'matter') return;
  const onTick = () => console.log(path.basename(file));
  jobs.set(file, CronJob.from({ cronTime: '0 */2 * * *', onTick, start: true }));
}

function forget(file) {
  notes.delete(file);
  jobs.get(file)?.stop();
  jobs.delete(file);
}

watch(root, { ignored: (file) => path.basename(file).startsWith('.') && file !== root })
  .on('add', read)
  .on('change', read)
  .on('unlink', forget)
  .on('ready', () => {
    isReady = true;
    for (const file of notes.keys()) schedule(file);
    console.log('ready');
  });
