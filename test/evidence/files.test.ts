import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSecret, namedFiles, readSource } from '../../src/evidence/files.ts';
import { TempVault } from '../support/temp-vault.ts';
import { briefing, link, pathsOf, registeredIn } from './registered-files.ts';

const FILES = {
  'lib/tuning.dart': 'const a = 1;\n',
  'lib/deep/more.dart': 'const b = 2;\n',
  'lib/.hidden.dart': 'const c = 3;\n',
  'data/results.json': '[]\n',
  'notes/My Notes (old).md': '# Notes\n',
  'notes/plan.md': '# Plan\n',
};

function vaultWith(items: readonly string[], root?: string, files: Record<string, string> = FILES): TempVault {
  return new TempVault({ ...files, 'roundtable/r/briefing.md': briefing(items, root) });
}

describe('what a briefing lists', () => {
  test.each<[string, readonly string[]]>([
    ['lib/tuning.dart', ['lib/tuning.dart']],
    ['`lib/tuning.dart` the constants', ['lib/tuning.dart']],
    ['lib/tuning.dart — the constants, see data/results.json', ['lib/tuning.dart']],
    ['lib/tuning.dart # the constants', ['lib/tuning.dart']],
    ['lib/tuning.dart: the constants', ['lib/tuning.dart']],
    ['lib/tuning.dart the constants', ['lib/tuning.dart']],
    ['[ ] lib/tuning.dart', ['lib/tuning.dart']],
    ['[[notes/plan]]', ['notes/plan.md']],
    ['[the plan](notes/plan.md)', ['notes/plan.md']],
    ['notes/My Notes (old).md', ['notes/My Notes (old).md']],
    ['"notes/My Notes (old).md" is long', ['notes/My Notes (old).md']],
    ['./lib/../lib/tuning.dart', ['lib/tuning.dart']],
    ['lib/*.dart', ['lib/tuning.dart']],
    ['lib/**', ['lib/deep/more.dart', 'lib/tuning.dart']],
    ['**/*.{dart,json}', ['data/results.json', 'lib/deep/more.dart', 'lib/tuning.dart']],
    ['*/pl?n.md', ['notes/plan.md']],
  ])('%s', (item, files) => {
    expect(pathsOf(registeredIn(vaultWith([item])))).toEqual(files);
  });

  test('other sections, prose and code are not lists', () => {
    const text =
      '# B\n\n- lib/tuning.dart\n\n## steward-registered files ##\n\nSee lib/tuning.dart.\n\n```\n- data/results.json\n```\n\n1. notes/plan.md\n\n### More\n* lib/deep/more.dart\n\n## End\n- lib/tuning.dart\n';
    const vault = new TempVault({ ...FILES, 'b.md': text });
    expect(pathsOf(registeredIn(vault, 'b.md'))).toEqual(['notes/plan.md', 'lib/deep/more.dart']);
  });

  test('without the section nothing is registered', () => {
    const vault = new TempVault({ 'b.md': '# B\n\n```\n## Steward-Registered Files\n```\n- lib/tuning.dart\n' });
    expect(registeredIn(vault, 'b.md')).toMatchObject({ listed: false, files: [] });
  });

  test('paths are relative to the root that the briefing names, in the vault or outside', () => {
    const vault = new TempVault(FILES);
    const outside = path.join(vault.home, 'code');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'a.ts'), 'x');
    vault.write('in.md', briefing(['tuning.dart'], 'lib'));
    vault.write('out.md', briefing(['*.ts', '../vault/lib/tuning.dart'], outside));
    vault.write('none.md', briefing(['a.ts'], 'nowhere'));
    vault.write('all.md', briefing(['etc/hostname'], '/'));
    expect(registeredIn(vault, 'in.md').files).toEqual([{ path: 'tuning.dart', root: vault.at('lib') }]);
    expect(pathsOf(registeredIn(vault, 'out.md', [outside]))).toEqual(['a.ts']);
    expect(pathsOf(registeredIn(vault, 'out.md', [vault.home]))).toEqual(['a.ts']);
    for (const file of ['none.md', 'all.md', 'out.md'])
      expect(registeredIn(vault, file)).toMatchObject({ files: [], troubles: [{ code: 'evidence-root', file }] });
  });

  test('a root where keys are kept makes no files of them', () => {
    const vault = new TempVault({ ...FILES, 'code/.git/config': 'url = https://u:pw@x.example' });
    fs.mkdirSync(path.join(vault.home, '.kube'));
    fs.writeFileSync(path.join(vault.home, '.kube', 'config'), 'token: abc');
    link(vault, 'harmless', path.join(vault.home, '.kube'));
    for (const root of ['../.kube', path.join(vault.home, '.kube'), 'harmless', 'code/.git']) {
      vault.write('b.md', briefing(['config', '*'], root));
      expect(pathsOf(registeredIn(vault, 'b.md')), root).toEqual([]);
    }
    expect(namedFiles([path.join(vault.home, '.kube/config')], vault.root).files).toEqual([]);
  });

  test('what stands in a comment is not registered', () => {
    const items =
      '- lib/tuning.dart\nNo `<!--` opens in code.\n<!--\n- notes/plan.md\n-->\n%%\n- lib/deep/more.dart\n%%\n- data/results.json %% so %%\n';
    const vault = new TempVault({ ...FILES, 'b.md': `## Steward-Registered Files\n${items}` });
    expect(pathsOf(registeredIn(vault, 'b.md'))).toEqual(['lib/tuning.dart', 'data/results.json']);
  });

  test('a command may name files by paths and globs, relative or absolute', () => {
    const vault = new TempVault(FILES);
    expect(pathsOf(namedFiles(['lib/*.dart', path.join(vault.root, 'data/*.json')], vault.root))).toEqual([
      'lib/tuning.dart',
      'results.json',
    ]);
  });
});

describe('what is never read', () => {
  test.each([
    ['missing.md', 'is not there'],
    ['missing/*.md', 'names no file'],
    ['lib', 'is a folder'],
    ['../outside.txt', 'leads out'],
    ['/etc/hostname', 'leads out'],
    ['link-out.txt', 'leads out'],
    ['folder-out/theirs.txt', 'leads out'],
    ['round', 'is a circular link'],
    ['pipe', 'is a pipe'],
    ['.env', 'keys or passwords'],
    ['looks-fine.txt', 'keys or passwords'],
    ['lib/.hidden.dart', 'is hidden'],
    ['lib/.*.dart', 'is hidden'],
    ['seems-fine.dart', 'is hidden'],
    ['nowhere', 'or nowhere'],
    ['twice.txt', 'a hard link'],
  ])('%s %s', (item, reason) => {
    const vault = vaultWith([item], undefined, { ...FILES, '.env': 'KEY=1\n' });
    fs.writeFileSync(path.join(vault.home, 'outside.txt'), 'not yours');
    fs.mkdirSync(path.join(vault.home, 'elsewhere'));
    fs.writeFileSync(path.join(vault.home, 'elsewhere', 'theirs.txt'), 'not yours');
    link(vault, 'link-out.txt', path.join(vault.home, 'outside.txt'));
    link(vault, 'folder-out', path.join(vault.home, 'elsewhere'));
    link(vault, 'round', 'round');
    link(vault, 'looks-fine.txt', '.env');
    link(vault, 'seems-fine.dart', 'lib/.hidden.dart');
    link(vault, 'nowhere', path.join(vault.home, 'not-there'));
    fs.linkSync(path.join(vault.home, 'outside.txt'), vault.at('twice.txt'));
    execFileSync('mkfifo', [vault.at('pipe')]);
    const { files, troubles } = registeredIn(vault);
    expect(files).toEqual([]);
    expect(troubles).toMatchObject([{ code: 'evidence-not-read', file: 'roundtable/r/briefing.md', line: 8 }]);
    expect(troubles[0]?.message).toContain(reason);
  });

  test('a glob follows no link out of the root, and names what it leaves out', () => {
    const vault = vaultWith(['**/*.txt', 'out/*', 'in/*.md'], undefined, { ...FILES, 'a.txt': 'a', 'real/b.md': 'b' });
    fs.mkdirSync(path.join(vault.home, 'elsewhere'));
    fs.writeFileSync(path.join(vault.home, 'elsewhere', 'c.txt'), 'not yours');
    link(vault, 'out', path.join(vault.home, 'elsewhere'));
    link(vault, 'out.txt', path.join(vault.home, 'elsewhere/c.txt'));
    link(vault, 'in', 'real');
    link(vault, 'real/loop', '..');
    const { files, troubles } = registeredIn(vault);
    expect(files.map(({ path: one }) => one)).toEqual(['a.txt', 'in/b.md']);
    expect(troubles.map(({ message }) => message)).toEqual([
      expect.stringMatching(/out\.txt leads out/),
      expect.stringMatching(/"out\/\*" names no file/),
    ]);
  });

  test('secrets are known by name, in any case, and by their folder', () => {
    const secrets =
      '.env .env.local prod.env a/.ssh/config id_rsa id_ed25519 server.pem SERVER.KEY .netrc .npmrc credentials credentials.json aws_credentials/.aws/config client_secret_1.json secrets.yaml store.p12 x/.git/config .steward/state/budget.json id_rsa.old id_rsa~ server.pem.bak .env~ .env-prod passwords.md google-credentials.json my_secrets.yaml credentials.json.bak service-account.json api-key.txt .yarnrc.yml prod.tfvars kubeconfig .secrets token.txt github-token.txt .token credentials.ini credentials secrets.py id_work'.split(
        ' ',
      );
    const plain =
      'environment.md keys.md id_rsa.md secretary.md monkey.txt credentials-policy.md tokens.ts id_ed25519.pub design-tokens.json secretary.csv results.json.bak token-budget.csv id_map.json tokens.md secret.md'.split(
        ' ',
      );
    expect(secrets.filter((one) => !isSecret(one))).toEqual([]);
    expect(plain.filter(isSecret)).toEqual([]);
  });

  test('a file that is exchanged for a link after it was registered is not read', () => {
    const vault = vaultWith(['lib/tuning.dart']);
    const [file] = registeredIn(vault).files;
    if (file === undefined) throw new Error('nothing registered');
    fs.writeFileSync(path.join(vault.home, 'outside.txt'), 'not yours');
    vault.remove('lib');
    link(vault, 'lib/tuning.dart', path.join(vault.home, 'outside.txt'));
    expect(() => readSource(file)).toThrow('leads out');
  });

  test('a root that is exchanged for a link after it was allowed leads nowhere', () => {
    const vault = vaultWith(['tuning.dart'], 'lib');
    const [file] = registeredIn(vault).files;
    if (file === undefined) throw new Error('nothing registered');
    fs.mkdirSync(path.join(vault.home, 'elsewhere'));
    fs.writeFileSync(path.join(vault.home, 'elsewhere', 'tuning.dart'), 'not yours');
    vault.remove('lib');
    link(vault, 'lib', path.join(vault.home, 'elsewhere'));
    expect(() => readSource(file)).toThrow('leads out');
  });

  test('of what lies outside, nobody is told whether it is there', () => {
    const said = ['outside.txt', 'not-there.txt'].map((name) => {
      const vault = vaultWith(['link', `folder/${name}`, `../${name}`]);
      fs.writeFileSync(path.join(vault.home, 'outside.txt'), 'not yours');
      link(vault, 'link', path.join(vault.home, name));
      link(vault, 'folder', vault.home);
      return registeredIn(vault).troubles.map(({ message }) => message.replaceAll(name, 'NAME'));
    });
    expect(said[0]).toEqual(said[1]);
  });

  test('files that are no text, or too large, are refused without being read whole', () => {
    const vault = vaultWith(['binary.dat', 'latin.txt', 'sparse.json']);
    vault.write('binary.dat', Buffer.from([1, 0, 2]));
    vault.write('latin.txt', Buffer.from([0x66, 0xfc, 0x72]));
    vault.write('sparse.json', '');
    fs.truncateSync(vault.at('sparse.json'), 2 ** 30);
    const reasons = registeredIn(vault).files.map((file) => {
      try {
        return readSource(file).path;
      } catch (error) {
        return String(error);
      }
    });
    expect(reasons).toEqual([
      expect.stringContaining('NUL'),
      expect.stringContaining('UTF-8'),
      expect.stringContaining('larger than the 16 MiB'),
    ]);
  });
});
