extension Connection {
  /// Runs `body`, whose statements may take about so many steps of SQLite's machine together; some tens of
  /// millions of them take a second.
  ///
  /// - Returns: What `body` returns; `nil` if it was stopped because it needs more.
  public func limited<T>(
    toSteps steps: Int, _ body: (borrowing Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T? {
    interruption.allow(steps: steps)
    defer { interruption.allow(steps: nil) }
    do throws(DatabaseError) { return try body(self) } catch {
      guard error.code == .interrupted, !interruption.isRequested else { throw error }
      return nil
    }
  }
}
