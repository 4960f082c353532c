import Testing

/// Fails the running test because a value is another case than it must be.
func recordWrongKind(sourceLocation: SourceLocation = #_sourceLocation) {
  Issue.record("the value is of another kind", sourceLocation: sourceLocation)
}
