# A new vault, from nothing.
$ steward init new --yes
A new vault lies in <root>/new.
  made matter/
  made task/
  made signal/
  made event/
  made instinct/
  made stream/
  made source/
  made roundtable/
  made steward.md
  made Steward.base
  made .obsidian/types.json
  made .obsidian/snippets/steward-event.css
Models are asked only where there is a key, and may cost 1 US dollar a day at most: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/new`. It starts in shadow and touches nothing.
`steward source add --vault <root>/new` connects your mailbox, so that what comes in reaches the vault by itself.
$ ls new
Steward.base
event
instinct
matter
roundtable
signal
source
steward.md
stream
task

# A second time, there is nothing left to make.
$ steward init new --yes
The steward has its place in <root>/new.
  everything was there already
Models are asked only where there is a key, and may cost 1 US dollar a day at most: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/new`. It starts in shadow and touches nothing.
`steward source add --vault <root>/new` connects your mailbox, so that what comes in reaches the vault by itself.

# In a vault that somebody has, no note changes, and what they chose in Obsidian stays.
$ mkdir -p mine/.obsidian mine/task && printf '{"types":{"due":"text"}}' > mine/.obsidian/types.json && echo 'My note' > mine/task/mine.md
$ steward init mine
The steward has its place in <root>/mine.
  made matter/
  made signal/
  made event/
  made instinct/
  made stream/
  made source/
  made roundtable/
  made steward.md
  made Steward.base
  made .obsidian/types.json
Models are asked only where there is a key, and may cost 1 US dollar a day at most: budget_usd_per_day in steward.md.
Next: put a matter into matter/, then `steward run --vault <root>/mine`. It starts in shadow and touches nothing.
`steward source add --vault <root>/mine` connects your mailbox, so that what comes in reaches the vault by itself.
$ cat mine/task/mine.md
My note
$ grep -o -e '^{"types":{"due":"text",' -e ',"confirm":"checkbox",' mine/.obsidian/types.json
{"types":{"due":"text",
,"confirm":"checkbox",

# The vault of `init` may be named as for every command.
$ steward init --vault third -y | head -n 1
A new vault lies in <root>/third.

# Types that cannot be read are left alone.
$ echo '{' > mine/.obsidian/types.json
$ steward init mine
The steward has its place in <root>/mine.
>2 .obsidian/types.json  The property types of Obsidian cannot be read (Expected property name or '}' in JSON at position 2 (line 2 column 1)). (types-unreadable)
>2   Mend or delete the file; nothing in it was changed.
? 1
$ cat mine/.obsidian/types.json
{
