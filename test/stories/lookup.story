# Evidence from files that are named: the place, and the lines as they stand.
$ mkdir -p vault/data
$ printf 'class Tuning {\n  // the floor\n  static const vectorFloorStrict = 0.62;\n}\n' > vault/data/tuning.dart
$ printf '[{"gateReason":"dualSignal"},\n {"gateReason":"single"},\n {"gateReason":"dualSignal"}]\n' > vault/data/results.json
$ steward lookup --vault vault "value of vectorFloorStrict in tuning.dart" --files 'data/*'
[Research result for you | deterministic | <...>s]:
data/tuning.dart:3 — value Tuning.vectorFloorStrict
```
  static const vectorFloorStrict = 0.62;
```
$ steward lookup --vault vault "count rows where gateReason=='dualSignal' in results.json" --files 'data/*'
[Research result for you | deterministic | <...>s]:
2 of 3 rows of data/results.json where gateReason=='dualSignal'.
Rows: data/results.json:1, data/results.json:3.
$ steward lookup --vault vault "show Tuning in tuning.dart" --files data/tuning.dart
[Research result for you | deterministic | <...>s]:
data/tuning.dart:1-4 — class Tuning
```
class Tuning {
  // the floor
  static const vectorFloorStrict = 0.62;
}
```

# The same in one's own words. Several files of a name are both looked at, and named; what is spelt alike is only a hint.
$ mkdir -p vault/data/old && printf 'void open() {\n  start();\n}\n' > vault/data/merger.dart && cp vault/data/merger.dart vault/data/old/merger.dart
$ printf 'run,status\n1,ok\n2,failed\n' > vault/data/runs.csv
$ steward lookup --vault vault "can you show me the open function in data/merger.dart?" --files 'data/*'
[Research result for you | deterministic | <...>s]:
data/merger.dart:1-3 — function open
```
void open() {
  start();
}
```
$ steward lookup --vault vault "what is vectorFloorStrict set to in tuning.dart?" --files 'data/*'
[Research result for you | deterministic | <...>s]:
data/tuning.dart:3 — value Tuning.vectorFloorStrict
```
  static const vectorFloorStrict = 0.62;
```
$ steward lookup --vault vault "list the rows in runs.csv where status is failed" --files 'data/*'
[Research result for you | deterministic | <...>s]:
1 of 2 rows of data/runs.csv where status is failed.
data/runs.csv:3 — row
```
2,failed
```
$ steward lookup --vault vault "merger.dart:2" --files 'data/**'
[Research result for you | deterministic | <...>s]:
2 registered files are named merger.dart: data/merger.dart, data/old/merger.dart.
data/merger.dart:2 — line 2 of 3
```
  start();
```
data/old/merger.dart:2 — line 2 of 3
```
  start();
```
$ steward lookup --vault vault "show opn in data/merger.dart" --files 'data/*'
[Research result for you | deterministic | <...>s]:
Not found.
No part of data/merger.dart is named opn.
Spelt alike: function open at data/merger.dart:1-3.
Checked: data/merger.dart.
? 1

# What is not there is not found, and what was checked is said.
$ steward lookup --vault vault "value of vectorFloorLoose in tuning.dart" --files 'data/*'
[Research result for you | deterministic | <...>s]:
Not found.
No part of data/tuning.dart is named vectorFloorLoose.
Checked: data/tuning.dart.
? 1
$ steward lookup --vault vault "value of vectorFloorStrict in other.dart" --files 'data/*'
[Research result for you | deterministic | <...>s]:
Not found.
No registered file is named other.dart.
Checked: data/merger.dart, data/results.json, data/runs.csv, data/tuning.dart.
? 1

# Files that a briefing lists; what cannot be read is said. Nothing else is read.
$ printf -- '---\nquestion: Which floor?\n---\n## Steward-Registered Files\n\n- data/tuning.dart the constants\n- data/missing.csv\n- ../outside.txt\n' > vault/briefing.md
$ steward lookup --vault vault "value of vectorFloorStrict in tuning.dart" --briefing briefing.md
[Research result for you | deterministic | <...>s]:
data/tuning.dart:3 — value Tuning.vectorFloorStrict
```
  static const vectorFloorStrict = 0.62;
```
>2 briefing.md:7  "data/missing.csv" is not there. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.
>2 briefing.md:8  "../outside.txt" leads out of the folder that may be read, or nowhere. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.
$ steward lookup --vault vault "count rows in results.json" --briefing briefing
[Research result for you | deterministic | <...>s]:
Not found.
No registered file is named results.json.
Checked: data/tuning.dart.
>2 briefing.md:7  "data/missing.csv" is not there. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.
>2 briefing.md:8  "../outside.txt" leads out of the folder that may be read, or nowhere. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.
? 1

# Without a model, other requests are searched for.
$ steward lookup --vault vault "what is the floor?" --briefing briefing.md
[Research result for you | search | <...>s]:
A search for the words of the request. Steward didn't check whether these passages answer it.
data/tuning.dart:1-4
```
class Tuning {
  // the floor
  static const vectorFloorStrict = 0.62;
}
```
>2 briefing.md:7  "data/missing.csv" is not there. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.
>2 briefing.md:8  "../outside.txt" leads out of the folder that may be read, or nowhere. (evidence-not-read)
>2   List files of the vault, or of the folder that the field root names, one a line.

# Without a list there is no evidence; and it must be said where to look.
$ steward lookup --vault vault "show README in README.md" --briefing README.md
[Research result for you | none | <...>s]:
Not found.
There is no section "Steward-Registered Files", so there is no evidence here.
Checked: nothing.
? 1
$ steward lookup --vault vault "what is the floor?"
>2 Name the files to search, or a briefing that lists them. (lookup-where)
>2   Give either --briefing NOTE or --files GLOB…
? 2

# The request may also come behind the files. Without one, it says how to ask.
$ steward lookup --vault vault --files 'data/*.dart' 'lines 1-1 of tuning.dart'
[Research result for you | deterministic | <...>s]:
data/tuning.dart:1 — line 1 of 4
```
class Tuning {
```
$ steward lookup --vault vault --files 'data/*' README.md
>2 Say what to look up. (lookup-what)
>2   Write it before --files, in quotation marks.
? 2

# A folder outside the vault counts where the command allows it, never because a note says so.
$ mkdir -p code && echo 'const floor = 0.62;' > code/tuning.dart
$ printf -- '---\nroot: ../code\n---\n## Steward-Registered Files\n\n- tuning.dart\n' > vault/outside.md
$ steward lookup --vault vault "value of floor in tuning.dart" --briefing outside.md --root code
[Research result for you | deterministic | <...>s]:
tuning.dart:1 — value floor
```
const floor = 0.62;
```
$ steward lookup --vault vault "value of floor in tuning.dart" --briefing outside.md
[Research result for you | none | <...>s]:
Not found.
No file is registered that can be read.
The field root names "../code", which is no folder of the vault, nor one that may be read outside of it.
Checked: nothing.
>2 outside.md  The field root names "../code", which is no folder of the vault, nor one that may be read outside of it. (evidence-root)
>2   Name a folder of the vault. One outside must be allowed by you: in STEWARD_EVIDENCE_ROOTS of the daemon, or with --root DIR of the command.
? 1
