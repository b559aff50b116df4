import type { LabelWords } from './words.ts';

/** English. */
export const ENGLISH: LabelWords = {
  when: `
    when | date | date and time | date & time | date/time | event date/time | event date | appointment date |
    appointment | time | starts | start | scheduled for | your appointment`,
  about: `
    where | location | venue | place | address | what | event | event type | who | invitee | organiser | organizer |
    duration | service | with | guests | reason for visit | clinic | practice`,
  former: `
    former time | former date | old time | old date | previously | previous time | previous date |
    previous appointment | original date | original time | original appointment | originally | was | old appointment |
    previously scheduled | cancelled appointment`,
  next: `
    new time | new date | new date and time | new date & time | new date/time | updated time | updated date |
    updated date/time | rescheduled to | rescheduled for | moved to | now | new appointment | new appointment date |
    new delivery date | new delivery slot | new departure | new start | new deadline | new due date | revised date`,
  due: `
    due date | payment due | payment due date | payment due by | due by | due on | due | pay by | please pay by |
    date due | payable by | deadline | submission deadline | return by | reply by | respond by`,
  open: `
    amount due | balance due | outstanding | outstanding balance | outstanding amount | amount outstanding |
    left to pay | to pay | remaining balance | total due | still to pay | amount owed`,
  reference: `
    invoice | invoice number | invoice no | invoice no. | invoice # | invoice reference | order | order number |
    order no | order no. | order # | order id | order reference | booking reference | booking number | booking ref |
    booking id | booking | confirmation number | confirmation code | reservation number | reservation |
    reservation code | tracking number | tracking no | tracking id | reference | reference number | our reference |
    your reference | ref | ref. | case number | claim number | policy number | ticket number | contract number |
    application number | case reference | parcel number | shipment number | pnr`,
  status: 'status | current status | new status | state | latest update | latest status',
  statusOfPayment: `
    payment status | invoice status | payment | status of your payment | status of payment | bill status`,
  statusOfDelivery: `
    delivery status | order status | shipping status | shipment status | parcel status | tracking status | delivery |
    status of your order | package status`,
  statusOfBooking: 'booking status | reservation status | appointment status | status of your booking',
  paid: `
    paid | paid in full | payment received | payment complete | payment completed | settled | fully paid |
    payment successful | successfully paid`,
  delivered: `
    delivered | collected | picked up | handed over | received | delivered to neighbour | delivered to recipient |
    item delivered | parcel delivered`,
  booked: 'confirmed | booked | reserved | booking confirmed | reservation confirmed',
  cancelled: `
    cancelled | canceled | order cancelled | order canceled | booking cancelled | terminated | cancelled by host |
    cancelled by organiser`,
  signed: 'signed | fully signed | signed by all parties | signed by everyone | completed and signed',
  approved: 'approved | granted | accepted | application approved',
  completed: 'completed | complete | finished | done | closed | resolved | submitted | fulfilled',
  pending: `
    pending | processing | in progress | in process | open | unpaid | not paid | partially paid | part paid |
    part-paid | overdue | past due | due | payment due | awaiting payment | declined | failed | payment failed |
    rejected | on hold | in transit | shipped | dispatched | out for delivery | delayed | delivery attempted |
    attempted | not delivered | undelivered | returned to sender | preparing | ordered | order received | requested |
    awaiting confirmation | tentative | waitlisted | on the waiting list | draft | sent | viewed |
    awaiting signature | partially signed | under review | received and under review | partially delivered |
    authorised | authorized`,
  fillers: 'on | at | to | by | in full | today | yesterday | with thanks | thank you',
  notDone: `
    delayed | on its way | on the way | out for delivery | in transit | will be delivered | will arrive | arriving |
    arrives | will be charged | will be collected | attempted | could not | couldn't | unable to | failed | not yet |
    has not | hasn't | have not | haven't | was not | wasn't | is not | isn't | overdue | outstanding | unpaid |
    declined | still to pay | payment is due | still owe | cancelled | canceled | pending | to confirm your booking |
    waiting list | refunded | returned`,
  notCancelled: `
    not cancelled | not canceled | still confirmed | reinstated | going ahead | remains confirmed | is confirmed |
    free cancellation | can be cancelled | may be cancelled | will be cancelled unless | if you cancel`,
};
