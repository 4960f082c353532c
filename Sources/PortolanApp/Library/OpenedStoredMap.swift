internal import Foundation
internal import PortolanLibrary

/// A stored map that is open for as long as this value lives.
struct OpenedStoredMap: Sendable {
  /// The id.
  let id: String
  /// The file or folder.
  let url: URL
  /// Says to all processes that it is open.
  let use: MapUse?
}
