import { parentPort, workerData } from 'node:worker_threads';
import { parseMail } from '../../stream/mail/mail.ts';
import { mailOrder } from './mail-reader.ts';

// A thread of its own for one large mail: `mail-reader.ts` starts it, and ends it where it takes too much.
const { path, bytes, sourceType } = mailOrder.parse(workerData);
parentPort?.postMessage(await parseMail(path, bytes, sourceType));
