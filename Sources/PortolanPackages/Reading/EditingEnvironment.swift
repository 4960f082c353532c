public import Foundation

/// The environment of edits: the editor, the clock, new ids.
public struct EditingEnvironment: Sendable {
  /// The user, for editor tracking; `nil` if nobody is signed in.
  public var user: String?
  /// The clock of histories and editor tracking.
  public var now: @Sendable () -> Date
  /// Makes the global ids of new rows.
  public var makeID: @Sendable () -> UUID

  /// Creates an environment.
  public init(
    user: String? = nil, now: @escaping @Sendable () -> Date,
    makeID: @escaping @Sendable () -> UUID
  ) {
    self.user = user
    self.now = now
    self.makeID = makeID
  }
}
