import { parentPort, workerData } from 'node:worker_threads';
import { parseMail } from '../../stream/mail/mail.ts';
import { mailTask } from './mail-reader.ts';

// Parses one large mail in a thread of its own; `mail-reader.ts` starts it and limits what it may take.
const { path, bytes, ...door } = mailTask.parse(workerData);
parentPort?.postMessage(await parseMail(path, bytes, door));
