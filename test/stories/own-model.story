# A model at home, behind a server that holds it to no form. `doctor` says whether it answers.
& local-model ollama
~ listening
$ edit steward.md '/^model_extraction/d; 2i model_evaluation: pretend:4b\nmodel_extraction: pretend:4b\nmodel_price_in: 0\nmodel_price_out: 0\nmodel_extraction_price_in: 0\nmodel_extraction_price_out: 0'
$ export ANTHROPIC_API_KEY=any-word ANTHROPIC_BASE_URL=$(cat local-model.url); steward doctor --vault vault | grep -E '^  (model|evaluator|budget)'
  evaluator  pretend:4b
  model      pretend:4b at http://127.0.0.1:<...> (answered in <...> s, held to its form by JSON in the text)
  budget     models may cost 1 USD a day; 0 USD spent in the last 24 hours
>2 Asking the models; one at home may take minutes.

# How well it reads, beside what the program reads by itself. What it may take is said first.
$ export ANTHROPIC_API_KEY=any-word ANTHROPIC_BASE_URL=$(cat local-model.url); steward doctor --reader --vault vault | sed -n '/^Reading/,$p' | grep -v '^embedded '
Reading the built-in mails
  reader      mails  precision  recall  wrong  seconds a mail  tokens read  written  cost
  pretend:4b  20     87 %       100 %   2      <...>  0 USD
  embedded    20     <...> 0            0        0 USD
pretend:4b is wrong about en-not-yet: it says state done: Pay the timber invoice 2207; expected was nothing.
pretend:4b is wrong about nl-anderen: it says state done: Aanbetaling zonnepanelen betalen; expected was nothing.
Twenty mails tell a good reader from a bad one; a difference of one mail is chance.
>2 Asking the models; one at home may take minutes.
>2 pretend:4b reads 20 built-in mails one by one: at most <...> thousand tokens read and 246 thousand written; 0 USD at most. Ctrl-C ends it.

# Another model of the same server is tried without changing the settings. This one is not there.
$ export ANTHROPIC_API_KEY=any-word ANTHROPIC_BASE_URL=$(cat local-model.url); steward doctor --reader never-pulled --vault vault | tail -n 2
No model was measured: The provider does not know the model never-pulled (HTTP 404).
Twenty mails tell a good reader from a bad one; a difference of one mail is chance.
>2 Asking the models; one at home may take minutes.

# Without a key nobody is asked, and only the program's own reading is measured.
$ steward doctor --reader --vault vault --json | grep -E '"(mails|notAsked)"|"embedded"'
        "reader": "embedded",
        "mails": 20,
    "notAsked": "pretend:4b was not asked: there is no key here."
! SIGTERM
? SIGTERM
