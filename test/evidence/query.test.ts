import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cite, loadSource } from '../../src/evidence/files.ts';
import { lookUp } from '../../src/evidence/query.ts';
import { parseQuery } from '../../src/evidence/request.ts';
import { parseJson, parsePlainValue } from '../../src/evidence/rows.ts';
import '../support/laws.ts';

/**
 * What a request finds in one file: the statements, then each extract as place and text; null where it needs a model.
 */
function asked(request: string, file: string, text: string): readonly string[] | null {
  const query = parseQuery(request);
  const finding = query === null ? null : lookUp(query, loadSource(file, Buffer.from(text)));
  if (finding === null) return null;
  return [...finding.statements, ...finding.extracts.map((one) => `${cite(one)} ${one.lines.join('\n')}`)];
}

const RESULTS = `[
  {"gateReason": "dualSignal", "score": 0.7, "by": {"agents": [{"name": "ada"}]}, "at": "2026-01-02T09:00:00+02:00"},
  {"gateReason": "single", "score": "0.7", "by": {"agents": [{"name": "bo"}]}, "at": "2026-01-02T08:00:00Z"},
  {
    "gateReason": "dualSignal",
    "score": 12,
    "ok": true
  },
  {"score": null, "ok": false}
]
`;

describe('rows are counted', () => {
  test.each([
    ["count rows where gateReason=='dualSignal' in results.json", '2 of 4', 'results.json:2, results.json:4-8'],
    ['How many rows in results.json where score > 2?', '1 of 4', 'results.json:4-8'],
    ['count the rows with score == 0.7 in results.json', '1 of 4', 'results.json:2'],
    ['count rows where score == "0.7" in results.json', '1 of 4', 'results.json:3'],
    ['count rows where score >= 0.7 in results.json', '2 of 4', 'results.json:2, results.json:4-8'],
    ['count rows where by.agents[0].name is ada in results.json', '1 of 4', 'results.json:2'],
    ['count rows where ok != true in results.json', '1 of 4', 'results.json:9'],
    ['count rows where not ok = true in results.json', '1 of 4', 'results.json:9'],
    ['count rows where score = null in results.json', '1 of 4', 'results.json:9'],
    ['count rows where score < 1 or ok == true in results.json', '2 of 4', 'results.json:2, results.json:4-8'],
    ["count rows where score > 0 and (gateReason == 'x' or ok is true) in results.json", '1 of 4', 'results.json:4-8'],
    ['In results.json, count rows where at < 2026-01-02T07:30:00Z.', '1 of 4', 'results.json:2'],
    ['how many rows have score == 0.7 in results.json', '1 of 4', 'results.json:2'],
    ["what's the number of rows where gateReason == 'single' in results.json?", '1 of 4', 'results.json:3'],
    ['Count the number of rows matching ok == true in results.json', '1 of 4', 'results.json:4-8'],
    ['number of records in `results.json` where gateReason <> “single”', '2 of 4', 'results.json:2, results.json:4-8'],
  ])('%s', (request, count, places) => {
    const [said = '', rows = ''] = asked(request, 'results.json', RESULTS) ?? [];
    expect(said).toMatch(new RegExp(`^${count} rows of results\\.json where `));
    expect(rows).toBe(`Rows: ${places}.`);
  });

  test('rows without the field are told, and in no case counted', () => {
    expect(asked("count rows where gateReason != 'single' in results.json", 'results.json', RESULTS)).toEqual([
      "2 of 4 rows of results.json where gateReason != 'single'.",
      'Rows: results.json:2, results.json:4-8.',
      '1 row without gateReason is not among them.',
    ]);
  });

  test('a row that has one of two fields is not said to be left out where it is counted', () => {
    expect(
      asked('count rows where a == 1 or b == 2 in x.json', 'x.json', '[{"a":1},\n{"b":3},\n{"a":1,"b":1}]'),
    ).toEqual([
      '2 of 3 rows of x.json where a == 1 or b == 2.',
      'Rows: x.json:1, x.json:3.',
      '1 row without a, b is not among them.',
    ]);
  });

  test('values that are no number are told where numbers are compared', () => {
    const text = 'id;"sum, net"\n1;12,5\n2;9\n3;11\n4;\n';
    expect(asked('count rows where "sum, net" > 10 in x.csv', 'x.csv', text)).toEqual([
      '1 of 4 rows of x.csv where "sum, net" > 10.',
      'Rows: x.csv:4.',
      'Not to be compared as asked, in 2 rows: x.csv:2, x.csv:5.',
    ]);
    expect(asked('count rows where n < 1 in x.json', 'x.json', '[{"n":"0.2"},\n{"n":0.5}]')?.at(-1)).toBe(
      'Not to be compared as asked, in 1 row: x.json:1.',
    );
  });

  test('quoted signs in the head of a CSV part nothing', () => {
    expect(asked('count rows where age > 10 in x.csv', 'x.csv', '"name, first, last";age\nada;12\nbo;9\n')?.[0]).toBe(
      '1 of 2 rows of x.csv where age > 10.',
    );
  });

  test('JSON may hold the control characters behind ASCII', () => {
    expect(asked('count rows in x.json', 'x.json', '["a\u007f\u0085"]')).toEqual(['1 of 1 row of x.json.']);
  });

  test('a field that no row has is not found, and those that are there are named', () => {
    expect(asked('count rows where gate == 1 in results.json', 'results.json', RESULTS)).toEqual([
      'No row of results.json has gate; 4 rows have: gateReason, score, by, at, ok.',
    ]);
  });

  test('each list of rows in a file is counted for itself', () => {
    const text = '{"meta": {"tags": ["a"]}, "first": [{"a": 1}], "more": {"second": [{"a": 1}, {"a": 2}]}}';
    expect(asked('count rows where a == 1 in x.json', 'x.json', text)).toEqual([
      '1 of 1 row of first in x.json where a == 1.',
      'Rows: x.json:1.',
      '1 of 2 rows of more.second in x.json where a == 1.',
      'Rows: x.json:1.',
    ]);
  });

  test('JSON by lines, of which some are none', () => {
    expect(asked('count rows where a == 1 in x.jsonl', 'x.jsonl', '{"a":1}\n\n{"a":\n{"a":1}\r\n[1]\n')).toEqual([
      '2 of 3 rows of x.jsonl where a == 1.',
      'Rows: x.jsonl:1, x.jsonl:4.',
      '1 row without a is not among them.',
      'Not read as rows, and not counted: line 3.',
    ]);
  });

  test('CSV with quotes and line ends within, short rows, blank lines, a byte order mark', () => {
    const text = '\uFEFFname,note,n\r\nada,"two\r\nlines, ""so""",5\r\n\r\nbo,x\r\n"cy, dee",y,05\r\n';
    expect(asked('count rows where n == 5 in x.csv', 'x.csv', text)).toEqual([
      '2 of 2 rows of x.csv where n == 5.',
      'Rows: x.csv:2-3, x.csv:6.',
      'Not read as rows, and not counted: line 5.',
    ]);
    expect(asked("count rows where n == '5' and name == ada in x.csv", 'x.csv', text)?.[1]).toBe('Rows: x.csv:2-3.');
    expect(asked('count rows in x.csv', 'x.csv', 'a;b\n1;2\n')).toEqual(['1 of 1 row of x.csv.']);
    expect(asked('count rows where a == 1 in x.csv', 'x.csv', 'a,b\n"1,2\n')).toEqual([
      expect.stringContaining('not well-formed CSV'),
    ]);
  });

  test.each([
    '',
    '[',
    '{"a":1',
    '[1,]',
    '{"a" 1}',
    "['a']",
    '[1] 2',
    '"a',
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
  ])('text that is no JSON is said to be none: %j', (text) => {
    expect(asked('count rows in x.json', 'x.json', text)?.[0]).toMatch(/\(line 1\)/);
    expect(asked('value of a in x.json', 'x.json', text)?.[0]).toMatch(/\(line 1\)/);
  });

  test('every value of a JSON text stands where it is said to stand', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const root = parseJson(text);
        expect(JSON.stringify(parsePlainValue(text, root))).toBe(JSON.stringify(value));
        for (const [index, item] of (root.items ?? []).entries())
          expect(JSON.stringify(parsePlainValue(text, item))).toBe(JSON.stringify((value as unknown[])[index]));
      }),
    );
  });
});

const DART = `import 'x';
// class Tuning { commented }
/* vectorFloorStrict = 9; /* nested } */ */
@immutable
class Tuning extends Base {
  static const double vectorFloorStrict = 0.62; // }
  static const floors = {
    'strict': 0.62,
    "loose": 0.4,
  };
  const Tuning({this.a = 1}) : c = 2, super();
  final String s = "a \${x ? 'b' : y['}']} b";
  final raw = r'\\';
  double get floor => vectorFloorStrict;
  Future<List<int>> load<T>(String path) async {
    final x = await foo(path, limit: 3);
    if (x == 2) {
      return [];
    }
    return list.map((e) => e.id).toList();
  }

  @override
  void missing(int a);
}
`;
const SCRIPT = `// function load() {}
export const limit: number = 5;
export class Store<T> {
  static retries = 3;
  #open = /[}]/.test('{');
  async load(path: string) {
    const limit = \`\${path}}\`;
    return limit;
  }
}
const settings = { gate: { strict: 0.62 }, 'loose-one': 1 };
export function load() {
  return { limit: 7 };
}
`;
const PYTHON = `"""def load(): pass"""
LIMIT: int = 5

@cached
def load(path, limit=3):
    """
class Fake:
    """
    return {
        "strict": 0.62,
    }

class Store(Base):
    retries = 3

    async def load(self):
        pass
# end
`;
const YAML = `gate:
  floors:
    - name: strict
      value: 0.62 # kept
    - name: loose
  text: |
    floors: no
"quoted key": [1, 2]
`;
const TOML = `title = "a # b"
[gate.floors]
strict = 0.62 # }
many = [
  1,
]
[[runs]]
name = 'x'
`;
const NOTE = `---
vector_floor: 0.62
tags:
  - a
---
# Gates

text

## What is in scope ##
yes
\`\`\`
## not this
\`\`\`
### Deeper
more

Next one
--------
last
`;

describe('values, functions, classes and headings are shown with their true extent', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['value of vectorFloorStrict in tuning.dart', 'tuning.dart', DART, ['6']],
    ['What is the value of Tuning.vectorFloorStrict in tuning.dart?', 'tuning.dart', DART, ['6']],
    ["what's the value of 'floors' in tuning.dart?", 'tuning.dart', DART, ['7-10']],
    ['value of floors.strict in tuning.dart', 'tuning.dart', DART, ['8']],
    ['value of floors in tuning.dart', 'tuning.dart', DART, ['7-10']],
    ['value of s in tuning.dart', 'tuning.dart', DART, ['12']],
    ['value of x in tuning.dart', 'tuning.dart', DART, ['16']],
    ['show class Tuning in tuning.dart', 'tuning.dart', DART, ['4-25']],
    ['show me the method load() in tuning.dart', 'tuning.dart', DART, ['15-21']],
    ['show floor in tuning.dart', 'tuning.dart', DART, ['14']],
    ['show missing in tuning.dart', 'tuning.dart', DART, ['23-24']],
    ['value of limit in a.ts', 'a.ts', SCRIPT, ['2', '7', '13']],
    ['value of settings.gate.strict in a.ts', 'a.ts', SCRIPT, ['11']],
    ["value of 'loose-one' in a.ts", 'a.ts', SCRIPT, ['11']],
    ['value of retries in a.ts', 'a.ts', SCRIPT, ['4']],
    ['show Store in a.ts', 'a.ts', SCRIPT, ['3-10']],
    ['show load in a.ts', 'a.ts', SCRIPT, ['6-9', '12-14']],
    ['show Store.load in a.ts', 'a.ts', SCRIPT, ['6-9']],
    ['value of LIMIT in a.py', 'a.py', PYTHON, ['2']],
    ['value of strict in a.py', 'a.py', PYTHON, ['10']],
    ['value of limit in a.py', 'a.py', PYTHON, ['5']],
    ['show function load in a.py', 'a.py', PYTHON, ['4-11', '16-17']],
    ['show Store in a.py', 'a.py', PYTHON, ['13-17']],
    ['value of gate.floors[0].value in a.yaml', 'a.yaml', YAML, ['4']],
    ['value of floors in a.yaml', 'a.yaml', YAML, ['2-5']],
    ['value of text in a.yml', 'a.yml', YAML, ['6-7']],
    ['value of "quoted key" in a.yaml', 'a.yaml', YAML, ['8']],
    ['value of gate.floors.strict in a.toml', 'a.toml', TOML, ['3']],
    ['value of many in a.toml', 'a.toml', TOML, ['4-6']],
    ['value of title in a.toml', 'a.toml', TOML, ['1']],
    ['value of runs.name in a.toml', 'a.toml', TOML, ['8']],
    ['value of vector_floor in a.md', 'a.md', NOTE, ['2']],
    ['value of tags in a.md', 'a.md', NOTE, ['3-4']],
    ['show section "What is in scope" in a.md', 'a.md', NOTE, ['10-16']],
    ['show What is in Scope in a.md', 'a.md', NOTE, ['10-16']],
    ['show heading Deeper from a.md', 'a.md', NOTE, ['15-16']],
    ['show Next one in a.md', 'a.md', NOTE, ['18-20']],
    ['value of gateReason in results.json', 'results.json', RESULTS, ['2', '3', '5']],
    ['value of [2].score in results.json', 'results.json', RESULTS, ['6']],
    ['show lines 2-3 of a.toml', 'a.toml', TOML, ['2-3']],
    ['show line 1 in a.toml', 'a.toml', TOML, ['1']],
  ])('%s', (request, file, text, places) => {
    const lines = text.split('\n');
    const expected = places.map((place) => {
      const [first = 0, last = first] = place.split('-').map(Number);
      return `${file}:${place} ${lines.slice(first - 1, last).join('\n')}`;
    });
    const said = asked(request, file, text) ?? [];
    expect(said.filter((one) => one.startsWith(`${file}:`))).toEqual(expected);
  });

  test('calls, labels and assignments are no definitions', () => {
    const dart = "int load(int a) {\n  final s = 'it\\'s }';\n  return a > 1 ? load(1) : load(2);\n}\nvar b = 1;\n";
    expect(asked('show load in a.dart', 'a.dart', dart)).toEqual([
      `a.dart:1-4 ${dart.split('\n').slice(0, 4).join('\n')}`,
    ]);
    const script = 'function load() {\n}\nexports.load = load;\nload();\n';
    expect(asked('show load in a.ts', 'a.ts', script)).toEqual(['a.ts:1-2 function load() {\n}']);
    expect(asked('value of load in a.ts', 'a.ts', script)).toEqual(['a.ts:3 exports.load = load;']);
  });

  test('a name that nothing has is not found; where its text stands is said', () => {
    expect(asked('value of commented in tuning.dart', 'tuning.dart', DART)).toEqual([
      'No part of tuning.dart is named commented.',
      'The text "commented" is at tuning.dart:2.',
    ]);
  });

  test('files that are broken are read as far as they are sound, or said to be broken', () => {
    expect(asked('show load in a.ts', 'a.ts', 'class {{{ \nfunction load() {\n}\n')).toContain(
      'a.ts:2-3 function load() {\n}',
    );
    expect(asked('show f in a.dart', 'a.dart', 'void f() {\n  "never closed\n')).toBeNull();
    expect(asked('value of a in a.yaml', 'a.yaml', 'a: [\n')?.[0]).toMatch(/could not be read/);
    expect(asked('value of a in a.toml', 'a.toml', 'a = \n')?.[0]).toMatch(/could not be read/);
    expect(asked('value of a in a.yaml', 'a.yaml', `${'['.repeat(50_000)}`)?.[0]).toMatch(/could not be read/);
    expect(asked('value of a in a.toml', 'a.toml', `a = ${'['.repeat(50_000)}`)?.[0]).toMatch(/could not be read/);
    expect(asked('show Gates in a.md', 'a.md', '---\na: [\n---\n# Gates\n')).toEqual(['a.md:4 # Gates']);
  });

  test('kinds of files that are not known are not said to lack anything', () => {
    expect(asked('value of a in a.txt', 'a.txt', 'a = 1')).toBeNull();
    expect(asked('count rows where a == 1 in a.txt', 'a.txt', 'a = 1')).toBeNull();
    expect(asked('show lines 1-9 of a.txt', 'a.txt', 'a = 1')).toEqual(['a.txt:1 a = 1']);
  });
});

test('whatever is in a file, what is shown lies within it, and nothing is thrown', () => {
  const bits = fc.constantFrom(
    ...'{ } ( ) [ ] < > " \' ` ``` ${ /* */ // # ## --- ; , : = => == \\ a b.c 1 class def function get const [[ ]] | & * ! \r'.split(
      ' ',
    ),
    '\n',
    '\n  ',
    '\uFEFF',
    '😀',
  );
  const texts = fc.array(bits, { maxLength: 60 }).map((parts) => parts.join(' '));
  const endings = fc.constantFrom('json', 'jsonl', 'csv', 'yaml', 'toml', 'md', 'dart', 'py', 'ts');
  fc.assert(
    fc.property(texts, endings, fc.constantFrom('a', 'b.c', '0', 'class'), (text, ending, name) => {
      const source = loadSource(`x.${ending}`, Buffer.from(text));
      for (const kind of ['show', 'value'] as const)
        for (const { first, last, lines } of lookUp({ kind, name, file: 'x' }, source)?.extracts ?? [])
          expect(lines).toEqual(source.lines.slice(first - 1, last));
      const counted = lookUp({ kind: 'count', where: null, whereText: '', file: 'x' }, source);
      for (const { first, last } of counted?.citations ?? [])
        expect(1 <= first && first <= last && last <= source.lines.length).toBe(true);
    }),
  );
});

test.each([
  'why does the gate fail in tuning.dart?',
  'compare a.ts and b.ts',
  'count functions in a.ts',
  'value of',
  'show',
  'value of two words in a.yaml',
  'count rows where in x.json',
  'count rows where a = in x.json',
  'count rows where (a = 1 in x.json',
  'show lines 5-2 of a.ts',
  'in',
  '',
])('what is not clear beyond doubt is not for looking: %j', (request) => {
  expect(parseQuery(request)).toBeNull();
});

test('a method of an object is shown as a function is', () => {
  expect(
    asked('show run in a.ts', 'a.ts', 'const jobs = {\n  async run(of: string) {\n    return of;\n  },\n};\n'),
  ).toEqual(['a.ts:2-4   async run(of: string) {\n    return of;\n  },']);
});
