internal import Foundation
internal import PortolanFeatures
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPackages

extension MapModel {
  /// The layers and tables with features, in the order of the map.
  var editableLayers: [(key: String, content: FeatureLayerContent)] {
    (tree.ordered + tree.tables.compactMap(tree.node)).flatMap { node in
      (contents[node.id]?.features ?? []).map { (node.id, $0) }
    }
  }

  /// The titles of the layers that show tables of a store, by table.
  func layerTitles(of store: any ChangeTrackingStore) -> [String: String] {
    let shown = editableLayers.filter { ($0.content.store as? any ChangeTrackingStore) === store }
    return Dictionary(
      shown.map { ($0.content.schema.name, tree.node($0.key)?.layer.title ?? $0.key) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Refuses a list of edits that would leave out those of a file which cannot be read.
  ///
  /// - Throws: A problem that names the first layer whose edits are unknown.
  func checkEdits() async throws(Problem) {
    for node in tree.ordered + tree.tables.compactMap(tree.node)
    where contents[node.id]?.problem != nil {
      do { try await map.contents.checkEdits(of: node.layer) } catch {
        let cause = Problem(error)
        // Another copy of a damaged file would not have the edits.
        let suggestion =
          cause.code == .damaged
          ? "Keep the file: edits that no service has received may be in it." : cause.suggestion
        throw Problem(
          message: "The edits of \"\(node.layer.title)\" cannot be listed. \(cause.message)",
          suggestion: suggestion, kind: cause.kind)
      }
    }
  }

  /// Opens the data of a layer for editing, which all layers on the same file then use.
  ///
  /// - Throws: A problem if there is no such layer, or its data cannot be edited.
  func openForEditing(_ key: String) async throws(Problem) -> FeatureLayerContent {
    guard let node = tree.node(key) else {
      throw Problem(message: "There is no layer \"\(key)\".", kind: .absence)
    }
    guard let content = contents[key]?.features.first else {
      throw Problem(
        message: "\"\(node.layer.title)\" has no features that can be edited.",
        suggestion: contents[key]?.problem)
    }
    if content.store is any EditableFeatureStore, !isKeptInMap(node) { return content }
    guard !map.contents.isPacked else { throw packedProblem }
    try await open(node.layer)
    await load()
    guard let opened = contents[key]?.features.first else {
      throw Problem(
        message: "\"\(node.layer.title)\" cannot be edited.", suggestion: contents[key]?.problem)
    }
    return opened
  }

  /// The number of attempts to open a file while the right to edit may be lost.
  private static let attempts = 3

  /// Opens the file of a layer for editing, with the right to edit the map.
  ///
  /// If editing is ended meanwhile, as for a synchronization, that right is gone: another process
  /// may write to the file then, or update the map, and the edits would be in the version before.
  private func open(_ layer: Layer) async throws(Problem) {
    for _ in 1...Self.attempts {
      try await stored?.beginEditing()
      do { try await map.contents.openForEditing(layer) } catch { throw Problem(error) }
      fileOpenings += 1
      guard let stored, !stored.lease.isEditing else { return }
      await map.contents.endEditing()
    }
    throw Problem(LibraryError.beingEdited(map: stored?.title ?? state.title, by: nil))
  }

  /// Closes what was opened for editing, then gives the right to edit back.
  func endEditing() async {
    var openings: Int
    repeat {
      openings = fileOpenings
      await map.contents.endEditing()
      // Another file may have been opened since, with the right that is given back now.
    } while fileOpenings != openings
    stored?.endEditing()
  }

  /// Whether features of a layer can be edited where they are, as far as the map tells: its service
  /// or file may refuse it yet.
  func canEdit(_ key: String, _ content: FeatureLayerContent) -> Bool {
    guard let node = tree.node(key), !isKeptInMap(node), !AuthoredRights(node.layer).isReadOnly
    else { return false }
    return content.store is any EditableFeatureStore || !map.contents.isPacked
  }

  private var packedProblem: Problem {
    let message = "\"\(state.title)\" cannot be edited: its package is one file."
    let actions: [NextAction] =
      if let stored {
        [.init(.unpackCopy, stored.title)]
      } else {
        [.init(.unpack, origin?.path(percentEncoded: false))]
      }
    return Problem(.tableNotEditable, message: message, actions: actions)
  }

  /// Shows what other programs have changed in the files of the map.
  func filesHaveChanged() async {
    await load()
    featuresHaveChanged()
    await reloadPopups()
  }

  /// Reads the features of the popups again, after edits.
  func reloadPopups() async {
    await popups.reload { source in
      self.contents[source.layerID]?.features.first {
        $0.schema.name == source.content.schema.name
      } ?? source.content
    }
  }

  /// Whether the features are part of the map's own document, which is not written to.
  private func isKeptInMap(_ node: LayerTree.Node) -> Bool {
    if case .feature(.featureCollection(_)) = node.layer.kind { true } else { false }
  }
}
