public import Foundation

/// A folder in which a user keeps items.
public struct DemoFolder: Hashable, Sendable {
  /// 32 digits.
  public var id: String
  /// The user name of the owner.
  public var owner: String
  /// The title, which no other folder of the owner has.
  public var title: String
  /// The date of creation.
  public var created: Date
}
