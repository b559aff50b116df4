# Nobody may act without a licence. Which are there?
$ calm
$ steward licence list --vault vault
from outside  mail:anna@northgate-notary.example may mark tasks as done and move dates in house-purchase, until 2027-10-12
  mail-anna@northgate-notary.example-house-purchase; right 14 of 14 times, on 11 days
$ steward licence sign anna@northgate-notary.example --matter house-purchase --kind done --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
$ steward licence --vault vault
signed  mail:anna@northgate-notary.example may mark tasks as done in house-purchase, until <...>
  mail-anna@northgate-notary.example-house-purchase
  no effect yet: Steward is in shadow mode
$ steward licence end mail-anna@northgate-notary.example-house-purchase --vault vault
ended  mail:anna@northgate-notary.example may mark tasks as done in house-purchase
  mail-anna@northgate-notary.example-house-purchase; you ended it
$ steward licence list --vault vault
ended  mail:anna@northgate-notary.example may mark tasks as done in house-purchase
  mail-anna@northgate-notary.example-house-purchase; you ended it
$ steward licence sgin anna@northgate-notary.example --vault vault
>2 There is no command "licence sgin". (usage)
>2   Use `steward licence list`, `steward licence sign SENDER` or `steward licence end LICENCE`.
? 2
