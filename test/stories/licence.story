# Nobody may act without a licence. Which are there?
$ calm
$ steward licence list --vault vault
from outside  mail:anna@northgate-notary.example may mark tasks as done and move dates in house-purchase, until 2027-10-12
  licence/mail-anna@northgate-notary.example-house-purchase.md; right 14 of 14 times, on 11 days
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  licence/mail-anna@northgate-notary.example-house-purchase.md
$ steward licence --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  licence/mail-anna@northgate-notary.example-house-purchase.md
$ steward licence end mail-anna@northgate-notary.example-house-purchase --vault vault
ended  mail:anna@northgate-notary.example may mark tasks as done in house-purchase
  licence/mail-anna@northgate-notary.example-house-purchase.md; you ended it
$ steward licence list --vault vault
ended  mail:anna@northgate-notary.example may mark tasks as done in house-purchase
  licence/mail-anna@northgate-notary.example-house-purchase.md; you ended it
