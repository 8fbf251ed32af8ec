/** Thrown when an evaluation must stop; caught where it was started. */
export class Interrupt {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
