internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// The files of a package, in a folder or in an archive; see ``PackagePath`` for their names.
protocol TileContainer: Sendable {
  /// The package, for messages.
  var name: String { get }

  /// The files with that last name, without case, those nearest the top first.
  func paths(named name: String) throws(TileError) -> [String]

  /// The error of a package without a document that describes its tiles.
  var missingDocument: TileError { get }

  /// The names of files and folders directly in `folder`, in no order.
  func names(in folder: String) throws(TileError) -> [String]

  /// The files `depth` names below `folder`, as paths from there.
  func paths(under folder: String, depth: Int) throws(TileError) -> [String]

  /// The bytes of a file, read in place where it is stored as such; `nil` if it is absent.
  func source(at path: String) throws(TileError) -> (any ByteSource)?

  /// The package's own name, without extension.
  var title: String { get }

  /// All bytes of a file, or `nil` if it is absent.
  func data(at path: String) throws(TileError) -> Data?
}

extension TileContainer {
  var missingDocument: TileError { Self.none(in: name) }

  /// The error where every file was looked at.
  static func none(in name: String) -> TileError {
    .unsupported(file: name, reason: "it has no conf.xml or root.json that describes tiles")
  }
}

/// The limits on what is read whole.
enum TileContainerLimits {
  /// The largest picture or font.
  static let documentSize = 64 << 20
  /// The largest document that is parsed: values take some 20 times the room of the text.
  static let parsedSize = 16 << 20
  /// How deep the document that describes a package may lie.
  static let searchDepth = 6
  /// How many files and folders are looked at to find it.
  static let searchedNames = 20_000
}
