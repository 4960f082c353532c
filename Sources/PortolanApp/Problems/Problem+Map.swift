extension Problem {
  /// The map that a screen belongs to is no longer there.
  static let mapWasClosed = Problem(
    .closed, message: "The map was closed.", suggestion: "Open it again.")
}
