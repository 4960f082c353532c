public import PortolanFeatures
public import PortolanMap

/// Finds the data of a map's layers.
public protocol LayerContentSource: Sendable {
  /// The data of a layer, or the reason why there are none.
  ///
  /// The same layer gives the same store, however often it is requested.
  @concurrent func content(of layer: Layer) async -> LayerContent

  /// Whether the data lie in an archive, which is not written to: nothing can be edited there.
  var isPacked: Bool { get }

  /// Opens the file with the features of a layer for editing.
  ///
  /// Afterwards ``content(of:)`` gives an `EditableFeatureStore` for it and for every other layer
  /// on the same file; stores that were given out before are not to be used any more.
  ///
  /// - Throws: `FeatureEditError` if the features cannot be edited where they are.
  @concurrent func openForEditing(_ layer: Layer) async throws(FeatureEditError)

  /// Closes what was opened for editing, so that nothing is left beside the files.
  ///
  /// What was applied stays, and can no longer be undone.
  @concurrent func endEditing() async

  /// Closes the files, those included that were opened for editing; asking for a layer opens them again.
  @concurrent func close() async

  /// Finds out whether the edits of a layer's features that are kept on this device can be listed.
  ///
  /// - Throws: Why not, if such edits may exist and the file that holds them cannot be read.
  func checkEdits(of layer: Layer) async throws
}

extension LayerContentSource {
  /// The data lie in files of their own.
  public var isPacked: Bool { false }

  /// Nothing can be edited.
  public func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    throw .tableNotEditable(table: layer.title, reason: "its features are kept in the map itself")
  }

  /// Nothing was opened.
  public func endEditing() async {}

  /// Nothing was opened.
  public func close() async {}

  /// No edits are kept on this device.
  public func checkEdits(of layer: Layer) async throws {}
}

/// A map of a package, and the way to the data of its layers.
public struct MobileMap: Sendable, Identifiable {
  /// The name, unique in its package.
  public let name: String
  /// The metadata of the map in the package.
  public let item: MobileMapItem
  /// The map.
  public let webMap: WebMap
  /// Finds the data of the layers.
  public let contents: any LayerContentSource

  public var id: String { name }

  /// The title for people.
  public var title: String { item.title }

  /// Creates a map.
  public init(
    name: String, item: MobileMapItem, webMap: WebMap, contents: any LayerContentSource
  ) {
    self.name = name
    self.item = item
    self.webMap = webMap
    self.contents = contents
  }
}
