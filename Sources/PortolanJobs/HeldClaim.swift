/// A claim that a queue has for as long as something in it needs it.
struct HeldClaim {
  weak var claim: JobClaim?
}
