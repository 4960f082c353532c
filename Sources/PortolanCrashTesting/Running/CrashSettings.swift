public import Foundation

/// The settings of a run of kills.
public struct CrashSettings: Sendable {
  /// How many times a child is killed.
  public var kills = 100
  /// What the moments depend on.
  public var seed: UInt64 = 1
  /// The bytes that are added to each geodatabase of the portal.
  public var padding = 4 << 20
  /// How fast the portal sends files, in bytes a second.
  public var rate = 48 << 20
  /// The program that is run as the child, with what ``CrashChild`` understands.
  public var program: URL
  /// Where homes, portals and what was found go.
  public var folder: URL

  /// Creates settings.
  public init(program: URL, folder: URL) {
    self.program = program
    self.folder = folder
  }
}
