# A new vault, from nothing.
$ steward init new --yes
A new vault is ready in <root>/new.
  made matter/
  made task/
  made signal/
  made event/
  made instinct/
  made licence/
  made stream/
  made source/
  made roundtable/
  made steward.md
  made Steward.base
  made .obsidian/types.json
  made .obsidian/snippets/steward-event.css
Steward asks models only if there is a key. They may cost up to 1 US dollar a day: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/new`. It starts in shadow, and your notes stay as they are.
`steward source add --vault <root>/new` connects your mailbox.
`steward rehearse --source NAME --since DAY --vault <root>/new` then compares what Steward would have done with your past mail, with what you did. It changes no note.
$ ls new
Steward.base
event
instinct
licence
matter
roundtable
signal
source
steward.md
stream
task

# A second time, there is nothing left to make.
$ steward init new --yes
Steward is set up in <root>/new.
  everything was there already
Steward asks models only if there is a key. They may cost up to 1 US dollar a day: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/new`. It starts in shadow, and your notes stay as they are.
`steward source add --vault <root>/new` connects your mailbox.
`steward rehearse --source NAME --since DAY --vault <root>/new` then compares what Steward would have done with your past mail, with what you did. It changes no note.

# In a vault that somebody has, no note changes, and what they chose in Obsidian stays.
$ mkdir -p mine/.obsidian mine/task && printf '{"types":{"due":"text"}}' > mine/.obsidian/types.json && echo 'My note' > mine/task/mine.md
$ steward init mine
Plan:
  make matter/
  make Steward/ with signal, event, instinct, licence, stream, source, roundtable
  make steward.md
  make Steward.base
  add the types of Steward's properties to .obsidian/types.json
Steward is set up in <root>/mine.
  made matter/
  made Steward/signal/
  made Steward/event/
  made Steward/instinct/
  made Steward/licence/
  made Steward/stream/
  made Steward/source/
  made Steward/roundtable/
  made steward.md
  made Steward.base
  made .obsidian/types.json
Steward asks models only if there is a key. They may cost up to 1 US dollar a day: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/mine`. It starts in shadow, and your notes stay as they are.
`steward source add --vault <root>/mine` connects your mailbox.
`steward rehearse --source NAME --since DAY --vault <root>/mine` then compares what Steward would have done with your past mail, with what you did. It changes no note.
$ cat mine/task/mine.md
My note
$ grep -o -e '^{"types":{"due":"text",' -e ',"confirm":"checkbox",' mine/.obsidian/types.json
{"types":{"due":"text",
,"confirm":"checkbox",

# The vault of `init` may be named as for every command.
$ steward init --vault third -y | head -n 1
A new vault is ready in <root>/third.

# Types that cannot be read are left alone.
$ echo '{' > mine/.obsidian/types.json
$ steward init mine
Steward is set up in <root>/mine.
>2 .obsidian/types.json  The property types of Obsidian cannot be read (Expected property name or '}' in JSON at position 2 (line 2 column 1)). (types-unreadable)
>2   Correct or delete the file; it is unchanged.
? 1
$ cat mine/.obsidian/types.json
{
