// Parses numbered mails, one after the other and nothing else: what no reading of a mailbox can do without.
import { parseMail } from '../../../src/streams/mail.ts';
import { numberedMail } from '../../support/mailbox.ts';

const DOOR = { sourceType: 'mail', trustedServers: [] };
const [mails = '0', first = '0'] = process.argv.slice(2);
let [wall, cpu] = [0, 0];
for (let from = 0; from < Number(mails); from += 100) {
  const some = Array.from({ length: 100 }, (_, nth) => Buffer.from(numberedMail(from + nth, Number(first))));
  const [before, used] = [performance.now(), process.cpuUsage()];
  for (const mail of some) await parseMail('stream/box.mbox', mail, DOOR);
  wall += performance.now() - before;
  const { user, system } = process.cpuUsage(used);
  cpu += (user + system) / 1000;
}
console.log(JSON.stringify({ wall, cpu }));
