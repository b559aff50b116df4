/** What a request is answered. */
export interface HttpAnswer {
  readonly status: number;
  /** Null where the answer is the status alone. */
  readonly content: { readonly type: string; readonly text: string } | null;
  readonly headers: Readonly<Record<string, string>>;
}
