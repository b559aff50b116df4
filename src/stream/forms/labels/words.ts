/**
 * What stands before the colon in a labelled block, and what stands behind it, in one language. All in lower case, as it is
 * written. A language is one file of this shape, and a line in `table.ts`.
 */
export interface LabelWords {
  /** When something takes place. */
  readonly when: readonly string[];
  /** Where it takes place, or what it is: a block with such a line is about an appointment. */
  readonly about: readonly string[];
  /** When it was to take place before. */
  readonly former: readonly string[];
  /** When it takes place now that it was moved. */
  readonly next: readonly string[];
  /** Until when it is to be paid or handed in. */
  readonly due: readonly string[];
  /** What is still to be paid. */
  readonly open: readonly string[];
  /** The number of an invoice, an order, a booking, a parcel. */
  readonly reference: readonly string[];
  /** How it stands, whatever it is. */
  readonly status: readonly string[];
  /** How a payment, a delivery or order, or a booking stands. */
  readonly statusOfPayment: readonly string[];
  readonly statusOfDelivery: readonly string[];
  readonly statusOfBooking: readonly string[];
  /** What such a line says. */
  readonly paid: readonly string[];
  readonly delivered: readonly string[];
  readonly booked: readonly string[];
  readonly cancelled: readonly string[];
  readonly signed: readonly string[];
  readonly approved: readonly string[];
  readonly completed: readonly string[];
  /** It has not happened yet, or has gone wrong. */
  readonly pending: readonly string[];
  /** What may stand between such a word and a day, or a comma. */
  readonly fillers: readonly string[];
  /** Words of a mail that speak against a thing being done, whatever else the mail holds. */
  readonly notDone: readonly string[];
  /** The same against its being called off. */
  readonly notCancelled: readonly string[];
}
