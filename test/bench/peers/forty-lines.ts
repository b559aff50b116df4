// What a person would write in an evening: chokidar, gray-matter and one CronJob a matter. It reads each note and keeps its
// frontmatter, follows what changes, and would print the matter's name when it is due. It keeps nothing on disk.
import fs from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { CronJob } from 'cron';
import matter from 'gray-matter';

const [root = ''] = process.argv.slice(2);
const notes = new Map<string, Record<string, unknown>>();
const jobs = new Map<string, CronJob>();

function read(file: string): void {
  if (!file.endsWith('.md')) return;
  notes.set(file, matter(fs.readFileSync(file, 'utf8'), {}).data); // options: else it keeps every text for ever
  if (ready) schedule(file);
}

function schedule(file: string): void {
  void jobs.get(file)?.stop();
  const note = notes.get(file);
  if (note?.type !== 'matter') return;
  jobs.set(
    file,
    CronJob.from({ cronTime: '0 */2 * * *', onTick: () => console.log(path.basename(file)), start: true }),
  );
}

function forget(file: string): void {
  notes.delete(file);
  void jobs.get(file)?.stop();
  jobs.delete(file);
}

let ready = false;
watch(root, { ignored: (file) => path.basename(file).startsWith('.') && file !== root })
  .on('add', read)
  .on('change', read)
  .on('unlink', forget)
  .on('ready', () => {
    ready = true;
    for (const file of notes.keys()) schedule(file);
    console.log('ready');
  });
