import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFolderMarks } from '../../src/sources/imap-fetch.ts';
import type { Arrival, Json } from '../../src/sources/source.ts';
import { lawRuns } from '../support/laws.ts';
import { mailOf, openMailbox, writesIn } from './mailbox-house.ts';
import { MemoryInlet } from './memory-inlet.ts';
import { ScriptedServer } from './scripted-server.ts';

const FOLDERS = ['INBOX', 'Archive'];

/** An inlet whose disk fails in the midst of a put: what was put stays, and the cursor does not move. */
class FailingInlet extends MemoryInlet {
  /** How many puts go well before one fails; null: all do. */
  good: number | null = null;
  doubled = 0;

  override async put(arrivals: readonly Arrival[], cursor: Json): Promise<void> {
    this.doubled += arrivals.filter(({ key, content }) => content !== null && this.knows(key)).length;
    const fails = this.good === 0;
    if (this.good !== null) this.good -= 1;
    await super.put(fails ? arrivals.slice(0, 1) : arrivals, fails ? this.at : cursor);
    if (fails) throw new Error('the disk is full');
  }
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('add'), at: fc.nat(1), count: fc.integer({ min: 1, max: 60 }) }),
  },
  fc.record({ do: fc.constant('copy'), at: fc.nat(1), count: fc.constant(1) }),
  fc.record({ do: fc.constant('expunge'), at: fc.nat(1), count: fc.nat(100) }),
  fc.record({ do: fc.constant('renumber'), at: fc.nat(1), count: fc.constant(0) }),
  fc.record({ do: fc.constant('cut'), at: fc.nat(1), count: fc.nat(25) }),
  fc.record({ do: fc.constant('full'), at: fc.nat(1), count: fc.nat(3) }),
  fc.record({ do: fc.constant('visit'), at: fc.nat(1), count: fc.constant(0) }),
);

function subjectsIn(texts: readonly string[]): readonly string[] {
  return texts.map((text) => /^Subject: (.*)\r$/m.exec(text)?.[1] ?? '');
}

test('LAW: whatever is cut off, renumbered or refused in between, each mail is brought once, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const server = await ScriptedServer.start();
      const inlet = new FailingInlet();
      let made = 0;
      const change = (what: string, at: number, count: number) => {
        const folder = server.folder(FOLDERS[at]);
        const other = server.folder(FOLDERS[1 - at]).mails.at(-1);
        for (let nth = 0; what === 'add' && nth < count; nth += 1) {
          made += 1;
          folder.add(mailOf('a@x.example', `m${made}`));
        }
        if (what === 'copy' && other !== undefined) folder.add(other.bytes.toString());
        if (what === 'expunge') folder.remove(folder.mails[count % Math.max(1, folder.mails.length)]?.uid ?? 0);
        if (what !== 'renumber') return;
        folder.validity += 1;
        folder.mails = folder.mails.map((mail, nth) => ({ ...mail, uid: nth + 1 }));
        folder.next = folder.mails.length + 1;
      };
      const visit = async () => {
        const session = await openMailbox(server, inlet, { folders: FOLDERS });
        await session.poll().finally(() => session.close());
      };
      const cutAt = (count: number) => {
        let left = count;
        return server.instead(/./, (regular, { socket }) => {
          left -= 1;
          if (left >= 0) return regular;
          socket.destroy();
          return null;
        });
      };
      for (const folder of FOLDERS) server.folder(folder);
      for (const { do: what, at, count } of steps) {
        change(what, at, count);
        if (what === 'cut') {
          const stop = cutAt(count);
          await visit().catch(() => {});
          stop();
        }
        inlet.good = what === 'full' ? count : null;
        if (what === 'full' || what === 'visit') await visit().catch(() => {});
        const marks = parseFolderMarks(inlet.cursor());
        for (const { name, last, validity } of marks)
          if (validity === String(server.folder(name).validity)) expect(last).toBeLessThan(server.folder(name).next);
      }
      inlet.good = null;
      await visit();
      const there = FOLDERS.flatMap((name) => server.folder(name).mails.map(({ bytes }) => bytes.toString()));
      const brought = subjectsIn(inlet.texts());
      expect(new Set(brought).size).toBe(brought.length);
      expect(subjectsIn(there).filter((subject) => !brought.includes(subject))).toEqual([]);
      expect(inlet.doubled).toBe(0);
      expect(writesIn(server.commands)).toEqual([]);
      expect(JSON.stringify(inlet.at).length).toBeLessThan(400);
      await server.stop();
    }),
    { numRuns: lawRuns(25) },
  );
});
