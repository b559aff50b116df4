# Replies from files stand for a model's: no key, no network, and it says so wherever it is named.
$ STEWARD_RECORDED_REPLIES=vault/recorded-replies steward status --vault vault --json | grep '"evaluator"'
  "evaluator": "recorded replies (<root>/vault/recorded-replies)",
$ STEWARD_LIVE_MODE=live STEWARD_RECORDED_REPLIES=vault/recorded-replies steward tick --vault vault car-insurance
car-insurance: 3 notes checked, 1 event
  steward-action-<stamp>-send-odometer-photo
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: nothing new
  car-insurance: nothing new
>2 read mail from anna@northgate-notary.example (Anna Placeholder), “Energy certificate, 7 Elm Lane”: no signal (older than 14 days)
>2 read mail from appointments@rivermouth-town.example (Rivermouth Town Hall), “Passport renewal: new date”: no signal (older than 14 days)
>2 read mail from kit@sampleton-surveys.example (Kit Sampleton), “Survey fee, invoice SV-88”: no signal (older than 14 days)
>2 read mail from accounts@marlow-studio.example (Marlow Studio Accounts), “Marlow invoice approved”: no signal (older than 14 days)
>2 read mail from studio@tilework.example (Tilework Studio), “Our offer for the kitchen wall”: no signal (older than 14 days)
>2 read mail from service@fennwick-insurance.example (Fennwick Insurance), “Your yearly mileage”: no signal (older than 14 days)
>2 read mail from frontdesk@casa-exemplo.example (Casa Exemplo), “Answers to your questions”: no signal (older than 14 days)
>2 asked which note is meant, marlow-invoice-041 or marlow-invoice-042 signal-action-<stamp>-undecided
>2 recorded send-odometer-photo: no change (still_active 0.44; this scored 0.44, live needs 0.60) steward-action-<stamp>-send-odometer-photo
$ grep -h ^evaluator vault/event/*/steward-action-*-send-odometer-photo.md
evaluator: claude-sonnet-5-5 (recorded by hand, prompt evaluate-1)

# A question that no reply was kept for is not answered, and its signal waits.
$ sed 's/send-odometer-photo/pay-car-insurance-premium/' vault/signal/2026-11-04T11-15-00Z-730dcc42.md > vault/signal/by-hand.md && touch -d "1 hour ago" vault/signal/by-hand.md
$ STEWARD_LIVE_MODE=live STEWARD_RECORDED_REPLIES=vault/recorded-replies steward tick --vault vault car-insurance --force
car-insurance: 3 notes checked, 0 events
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: not evaluated: There is no recorded reply about task/pay-car-insurance-premium.md as it is.
  send-odometer-photo: nothing new
  car-insurance: nothing new
>2 problem There is no recorded reply about task/pay-car-insurance-premium.md as it is. Put one into the folder that STEWARD_RECORDED_REPLIES names, or unset it. The signals wait.
$ STEWARD_LIVE_MODE=live STEWARD_RECORDED_REPLIES=nowhere steward tick --vault vault car-insurance --force
car-insurance: 3 notes checked, 0 events
  cancel-roadside-cover: closed: it is archived
  pay-car-insurance-premium: not evaluated: The folder of recorded replies cannot be read: ENOENT: no such file or directory, scandir '<root>/nowhere'.
  send-odometer-photo: nothing new
  car-insurance: nothing new
>2 problem The folder of recorded replies cannot be read: ENOENT: no such file or directory, scandir '<root>/nowhere'. Put one into the folder that STEWARD_RECORDED_REPLIES names, or unset it. The signals wait.

# Nothing was lost by it: the rules weigh it as soon as nobody else is named.
$ STEWARD_LIVE_MODE=live steward tick --vault vault car-insurance --force
car-insurance: 3 notes checked, 1 event
  steward-action-<stamp>-pay-car-insurance-premium
  cancel-roadside-cover: closed: it is archived
  send-odometer-photo: nothing new
  car-insurance: nothing new
>2 recorded pay-car-insurance-premium: no change (needs_input <...>; this scored <...>, live needs 0.60) steward-action-<stamp>-pay-car-insurance-premium
