import { describe, expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { HOUSE, ODD_TASK, settings, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';

const BEGIN = '<!-- steward:waiting -->';
const END = '<!-- /steward:waiting -->';

function page(inside: string, eol = '\n'): string {
  const text = settings().replace('Settings.', `Mine, above.\n\n${BEGIN}\n${inside}\n${END}\n\nMine, below.  `);
  return text.replaceAll('\n', eol);
}

async function kept(text: string, more = {}): Promise<{ vault: TempVault; running: Running }> {
  const vault = new TempVault({ ...HOUSE, 'steward.md': text, 'signal/s1.md': weak(), ...more });
  const running = await Running.start(vault);
  await running.ask({ op: 'tick', matters: [], force: true, mode: null });
  await running.sync();
  return { vault, running };
}

describe('the list on the front page', () => {
  test.each(['\n', '\r\n'])('stands between its marks, and no other byte changes (%j)', async (eol) => {
    const { vault, running } = await kept(page('Nothing waits for you.\n', eol));
    const { event } = await running.heard('proposed');
    const name = stem(event);
    const list = `1 thing waits for you: 1 proposal\n\n- proposal: [[pay]] · state open → done · mail “your invoice is paid” · [[${name}]]`;
    // After a look that took long, the next one waits a while.
    await expect.poll(() => vault.read('steward.md')).toBe(page(list, eol));
    vault.edit('task/pay.md', "'open'", "'done'");
    await running.sync();
    await expect.poll(() => vault.read('steward.md')).toBe(page('Nothing waits for you.\n', eol));
  });

  test('tells two notes of one name apart', async () => {
    const either = { target_ambiguous: true, target_candidates: ['task/pay.md', 'task/old/pay.md'] };
    const more = { 'signal/s1.md': weak(either), 'task/old/pay.md': ODD_TASK };
    const { vault, running } = await kept(page('Nothing waits for you.\n'), more);
    expect(await running.heard('asked')).toMatchObject({ candidates: ['task/pay', 'old/pay'] });
    await expect.poll(() => vault.read('steward.md')).toContain('- choice: [[task/pay]] or [[task/old/pay]] · ');
  });

  test('does not make the settings count as edited', async () => {
    const { running } = await kept(page('Nothing waits for you.\n'));
    expect(running.count('settings')).toBe(0);
  });

  test('is written only where the marks are, and only where it changed', async () => {
    const { vault, running } = await kept(settings());
    expect(vault.read('steward.md')).toBe(settings());
    vault.write('steward.md', page('Nothing waits for you.\n'));
    await running.until(() => vault.read('steward.md').includes('1 thing waits'));
    await running.sync();
    const before = vault.read('steward.md');
    vault.write('task/other.md', task());
    await running.sync();
    expect(vault.read('steward.md')).toBe(before);
  });

  test('names twenty, and says how many more there are', async () => {
    const names = Array.from({ length: 23 }, (_, at) => `t${at}`);
    const notes = names.map((name) => [`task/${name}.md`, ODD_TASK] as const);
    const signals = names.map((name) => [`signal/${name}.md`, weak({ target_path: `task/${name}.md` })] as const);
    const { vault } = await kept(page('Nothing waits for you.\n'), Object.fromEntries([...notes, ...signals]));
    await expect.poll(() => vault.read('steward.md')).toContain('24 things wait for you: 24 proposals');
    const text = vault.read('steward.md');
    expect(text.match(/^- proposal: /gm)).toHaveLength(20);
    expect(text).toContain('- and 4 more: `steward inbox`');
  });
});
