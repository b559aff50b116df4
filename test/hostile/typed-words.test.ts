import { expect } from 'vitest';
import { HOUSE, instinct, settings, signal, task, weak } from '../support/notes.ts';
import { attack } from './attack.ts';
import { Attacked } from './support.ts';

const SELDOM = '0 0 29 2 *';
const FILES = {
  ...HOUSE,
  'task/one.md': task(),
  'steward.md': settings({ settle_seconds: 0, default_schedule: SELDOM }),
  'instinct/mail.md': instinct('mail', { observations: 60 }),
};

/** A strong signal says that a task is done. */
function arrives(vault: Attacked, name: string): void {
  vault.sandbox.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md`, raw_quote: `${name} is paid` }));
}

// Nobody has been right here before: what is weak is proposed.
const UNTAUGHT = { ...HOUSE, 'task/one.md': task() };
const REPORT = 'Steward report.md';
const BEGIN = '<!-- steward:waiting -->';
const END = '<!-- /steward:waiting -->';

/** The settings note with this in it, which has long been quiet. */
const page = (text: string) => settings({ settle_seconds: 0, default_schedule: SELDOM }).replace('Settings.', text);

attack(
  {
    attacker: 'another program',
    means: 'a person types a remark into the list in steward.md, between its marks and behind an entry',
    loss: 'the words are gone from the note at the next change of the list, with no line in status',
    defence: 'what the program did not write there moves below the marks',
  },
  async () => {
    const vault = new Attacked({ ...UNTAUGHT, 'steward.md': page(`Mine.\n\n${BEGIN}\n${END}\n\nMine, below.`) });
    vault.sandbox.write('signal/weak.md', weak({ target_path: 'task/one.md' }));
    await vault.start();
    await vault.steward('tick', 'house', '--force');
    await expect.poll(() => vault.read('steward.md')).toContain('1 thing waits for you');
    const typed = vault
      .read('steward.md')
      .replace(/^- proposal: .*$/m, '$& ask Robin first\n  before Friday\n- problem')
      .replace(BEGIN, `${BEGIN}\nRemember the roof.`);
    vault.sandbox.write('steward.md', typed);
    vault.sandbox.write('task/one.md', task({ state: 'done' }));
    await expect.poll(() => vault.read('steward.md')).toContain('Nothing waits for you.');
    const text = vault.read('steward.md');
    for (const words of ['Remember the roof.', 'ask Robin first', '  before Friday\n- problem', 'Mine, below.']) {
      expect(text.slice(text.indexOf(END))).toContain(words);
    }
  },
);

attack(
  {
    attacker: 'another program',
    means:
      'the part of steward.md with the list is pasted twice, and the first closing mark is lost; marks in a sentence',
    loss: 'all that a person wrote between the first opening mark and the last closing one',
    defence: 'marks count alone on a line, and once each; else the note is left as it is',
  },
  async () => {
    const twice = page(`The list is between ${BEGIN} and ${END}.\n\n${BEGIN}\nA.\n\nMy plans.\n\n${BEGIN}\n${END}\n`);
    const vault = new Attacked({ ...UNTAUGHT, 'steward.md': twice });
    vault.sandbox.write('signal/weak.md', weak({ target_path: 'task/one.md' }));
    await vault.start();
    await vault.steward('tick', 'house', '--force');
    await vault.says('proposed');
    await expect.poll(() => vault.steward('inbox')).toMatchObject({ said: expect.stringContaining('one') });
    expect(await vault.steward('dismiss', 'one')).toMatchObject({ exit: 0 });
    expect(vault.read('steward.md')).toBe(twice);
  },
);

attack(
  {
    attacker: 'another program',
    means: 'a person types a remark into the report, between its marks',
    loss: 'the words are gone at the next report, with no line in status',
    defence:
      'a part that is not as the program wrote it is left, and the report says why, until the person has moved the words',
  },
  async () => {
    const vault = new Attacked({ ...FILES, 'task/two.md': task() });
    await vault.start();
    const act = async (name: string) => {
      arrives(vault, name);
      await vault.says(`applied ${name}`);
      return vault.steward('report');
    };
    await act('one');
    const made = vault.read(REPORT);
    vault.sandbox.write(REPORT, made.replace(/\n%% \/steward %%/, '\nAsk Robin about this.$&'));
    const typed = vault.read(REPORT);
    expect((await act('two')).said).toContain('Somebody has written between its marks');
    expect(vault.read(REPORT)).toBe(typed);
    vault.sandbox.write(REPORT, `${made}\nAsk Robin about this.\n`);
    await vault.steward('report');
    expect(vault.read(REPORT)).not.toContain(made);
    expect(vault.read(REPORT)).toContain('Ask Robin about this.');
  },
);
