import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadSource } from '../../src/evidence/files.ts';
import { readOutline } from '../../src/evidence/outline.ts';
import { lookUp } from '../../src/evidence/query.ts';
import '../support/laws.ts';

const JAVA = `package gate;
@Deprecated
public class Gate<T> extends Base {
  static final int LIMIT = 5;
  private String name;
  public Gate(int a) { this.name = "}"; }
  @Override
  public int open(String s) throws E {
    return s == "{" ? 1 : 2;
  }
  interface Inner { void run(); }
}
`;
const C = `#define LIMIT 5
namespace gate {
const int kMax = 4;
struct Point { int x; };
class Store : public Base {
 public:
  Store(int a) : a_(a) {}
  int decl(struct Point *at);
};
int Store::decl(struct Point *at) {
  return '}';
}
template <typename T>
T* make(T a) { return nullptr; }
}
typedef struct Point Spot;
char *
name(void)
{
  return "{";
}
`;
const RUST = `pub struct Engine<T> {
    depth: T,
}
impl<T> Display for Engine<T> {
    fn fmt<'a>(&self, to: &'a str) -> &'a str {
        let brace = '{';
        if brace == '{' { to } else { "}" }
    }
}
macro_rules! twice { ($x:expr) => { $x + $x } }
static NAME: &str = r#"a " } "#;
mod inner { pub fn load() {} }
`;
const GO = `package main

const (
	First = iota
	Second
)

var limit, most = 3, 4

type Server[T any] struct{ Name T }

type Opener interface {
	Open() error
}

func (s *Server[T]) Listen() error {
	return f(\`{\`)
}
`;

/** The parts of a text as `noun name lines`. */
function partsOf(file: string, text: string): readonly string[] {
  const parts = readOutline(loadSource(file, Buffer.from(text))) ?? [];
  return parts.map(({ kind, noun, path: names, first, last }) =>
    [...(kind === 'unsure' ? ['unsure'] : []), noun, names.join('.'), first === last ? first : `${first}-${last}`].join(
      ' ',
    ),
  );
}

test.each([
  [
    'Gate.java',
    JAVA,
    [
      'class Gate 2-12',
      'value Gate.LIMIT 4',
      'constructor Gate.Gate 6',
      'method Gate.open 7-10',
      'interface Gate.Inner 11',
    ],
  ],
  [
    'gate.cpp',
    C,
    [
      'macro LIMIT 1',
      'namespace gate 2-15',
      'value gate.kMax 3',
      'struct gate.Point 4',
      'class gate.Store 5-9',
      'constructor gate.Store.Store 7',
      'method gate.Store.decl 8',
      'method gate.Store.decl 10-12',
      'function gate.make 13-14',
      'type Spot 16',
      'function name 18-21',
    ],
  ],
  [
    'engine.rs',
    RUST,
    [
      'struct Engine 1-3',
      'impl Engine 4-9',
      'method Engine.fmt 5-8',
      'value Engine.fmt.brace 6',
      'macro twice 10',
      'value NAME 11',
      'module inner 12',
    ],
  ],
  [
    'main.go',
    GO,
    ['value First 4', 'value most 8', 'type Server 10', 'type Opener 12-14', 'method Server.Listen 16-18'],
  ],
])('what %s defines, with its lines', (file, text, parts) => {
  expect(partsOf(file, text)).toEqual(parts);
});

describe('where an outline is not sure, nothing is shown and nothing is said to be missing', () => {
  const cut =
    'int open(int a) {\n#ifdef FAST\n  if (a) {\n#else\n  if (!a) {\n#endif\n  }\n  return 1;\n}\nint shut(void) { return 0; }\n';
  const show = (name: string, file: string, text: string) =>
    lookUp({ kind: 'show', name, file }, loadSource(file, Buffer.from(text)));

  test('a function of C that the preprocessor cuts', () => {
    expect(show('open', 'a.c', cut)).toBeNull();
  });

  test.each([
    ['a.c', 'int open(int a) {\n  if (a) {\n  return 1;\n}\nint shut(void) { return 0; }\n'],
    ['a.go', 'package a\nfunc open() {\n  if x {\n}\nfunc shut() {}\n'],
    ['a.rs', 'fn open() {\n  if x {\n}\nfn shut() {}\n'],
    ['A.java', 'class A {\n  void open() {\n    if (x) {\n  }\n  void shut() {}\n}\n'],
  ])('a brace that is missing: %s', (file, text) => {
    expect(show('open', file, text)).toBeNull();
    expect(show('elsewhere', file, text)).toBeNull();
  });
});

const FILES = path.join(import.meta.dirname, 'phrasings/files');
const SOUND = fs
  .readdirSync(FILES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(dart|py|ts|go|rs)$/.test(file))
  .map((file) => ({ file, text: fs.readFileSync(path.join(FILES, file), 'utf8') }))
  .concat([
    { file: 'Gate.java', text: JAVA },
    { file: 'gate.cpp', text: C },
    { file: 'engine.rs', text: RUST },
    { file: 'main.go', text: GO },
  ]);

test('whatever is cut out of a file, a part that is shown begins in the line that names it, and stands there verbatim', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SOUND), fc.nat(), fc.nat(30), ({ file, text }, at, length) => {
      const from = at % text.length;
      const source = loadSource(file, Buffer.from(text.slice(0, from) + text.slice(from + length)));
      for (const part of readOutline(source) ?? []) {
        const name = part.path.at(-1) ?? '';
        if (part.kind !== 'definition' || name === '') continue;
        const shown = lookUp({ kind: 'show', name, file }, source);
        const extracts = shown?.extracts ?? [];
        if (shown !== null && extracts.length > 0)
          expect(extracts.some(({ first, last }) => first <= part.first && part.last <= last)).toBe(true);
        for (const { first, last, lines } of extracts) {
          expect(lines).toEqual(source.lines.slice(first - 1, last));
          expect(lines.join('\n')).toContain(name);
        }
      }
    }),
  );
});
