# A model at home, behind a server that holds it to no form. `doctor` says whether it answers.
& local-model ollama
~ listening
$ edit steward.md '/^model_extraction/d; 2i model_evaluation: pretend:4b\nmodel_extraction: pretend:4b\nmodel_price_in: 0\nmodel_price_out: 0\nmodel_extraction_price_in: 0\nmodel_extraction_price_out: 0'
$ export ANTHROPIC_API_KEY=any-word ANTHROPIC_BASE_URL=$(cat local-model.url); steward doctor --vault vault | grep -E '^  (model|evaluator|budget)'
  evaluator  pretend:4b
  model      pretend:4b at http://127.0.0.1:<...> (answered in <...> s, form enforced by JSON in the text)
  budget     models may cost 1 USD a day; 0 USD spent in the last 24 hours
>2 Asking the models; one at home may take minutes.
! SIGTERM
? SIGTERM
