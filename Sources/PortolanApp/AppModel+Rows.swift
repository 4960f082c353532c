public import struct Foundation.URL

// The rows of the list of maps: what choosing one does.
extension AppModel {
  /// Opens a row of the list of maps: what is on this device, else a web map at the portal that the
  /// list has it from.
  ///
  /// - Parameters:
  ///   - item: The row.
  ///   - index: Which map of it, counted from 0; the first that can be opened if `nil`. A web map is one.
  /// - Returns: How the layers of a web map did; `nil` for what is on this device.
  /// - Throws: A problem if it can neither be opened here nor over the network; the map that was
  ///   open stays.
  @discardableResult
  public func open(
    _ item: MapListItem, map index: Int? = nil
  ) async throws(Problem) -> WebMapModel.Contents? {
    guard !item.canOpenOffline else {
      try await openStored(item.id, map: index)
      return nil
    }
    guard item.canOpen else { throw await absence(of: item) }
    return try await openWebMap(item.id, at: item.portal)
  }

  /// Opens a web map over the network.
  ///
  /// - Parameters:
  ///   - id: The id of its item.
  ///   - url: The portal, or the one in use if `nil`.
  /// - Returns: How its layers did.
  /// - Throws: A problem if it cannot be opened, a cancellation if something else was asked for
  ///   meanwhile; the map that was open stays.
  @discardableResult
  public func openWebMap(
    _ id: String, at url: URL? = nil
  ) async throws(Problem) -> WebMapModel.Contents? {
    guard let portal else {
      throw Problem(message: "This app has no network.", kind: .network)
    }
    let number = beginOpening()
    let model = try await portal.webMap(of: url)
    await model.load(id)
    if case .failed(let problem) = model.state { throw problem }
    let opened = try await model.open()
    try check(number)
    await show(opened)
    return model.state.contents
  }

  /// A layer of a row whose map is on this device, by its title or the name of its table, without case.
  ///
  /// Other processes cannot delete the map as long as the layer is held.
  ///
  /// - Throws: A problem if the map is not on this device or cannot be opened, ``InspectionError`` if it
  ///   has no such layer.
  public func layer(named name: String, of item: MapListItem) async throws -> InspectedLayer {
    guard let library, item.canOpenOffline else { throw await absence(of: item) }
    let opened = try await library.maps().beginUse(of: item.id)
    do {
      var layer = try await files.layer(named: name, in: opened.url)
      layer.lease = opened
      return layer
    } catch InspectionError.noSuchLayer(let name, _, let available) {
      throw InspectionError.noSuchLayer(name: name, file: item.title, available: available)
    }
  }

  /// The reason why nothing of a row can be opened: one that was deleted can be restored, with the
  /// edits in it.
  private func absence(of item: MapListItem) async -> Problem {
    // A list that cannot be read does not tell of a deletion.
    guard (try? await library?.maps().isDeleted(item.id)) == true else {
      return Problem(unopenable: item)
    }
    return Problem(
      message: "\"\(item.title)\" was deleted from this device.",
      suggestion: "Check what was deleted and can be restored.", kind: .absence,
      actions: [.init(.listDeleted)])
  }

  /// Opens a web map as it was loaded, with the layers that were requested again.
  ///
  /// - Throws: A problem if it is not loaded, a cancellation if something else was asked for
  ///   meanwhile; the map that was open stays.
  public func open(_ webMap: WebMapModel) async throws(Problem) {
    let number = beginOpening()
    let opened = try await webMap.open()
    try check(number)
    await show(opened)
  }
}

extension Problem {
  /// A row of which nothing is on this device.
  fileprivate init(unopenable item: MapListItem) {
    self.init(
      message: "\"\(item.title)\" is not on this device.",
      suggestion: item.canDownload ? "Download it first." : "Check the list of maps.",
      kind: .absence,
      actions: [item.canDownload ? .init(.download, item.id) : .init(.listMaps)])
  }
}
