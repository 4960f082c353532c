public import PortolanGeometry
internal import PortolanJSON

extension WebMap {
  /// The initial viewpoint: that of the document, else the extent of its item.
  ///
  /// The extent of an item is in longitude and latitude on WGS 84.
  public func initialViewpoint(itemExtent: Envelope?) -> Viewpoint? {
    initialViewpoint ?? itemExtent.map { .extent($0, spatialReference: .wgs84) }
  }

  /// The colour behind all layers, if given.
  public var backgroundColor: RGBAColor? {
    get { RGBAColor(json: json.object("background")?["color"]) }
    set { setMember("background", newValue.map { ["color": $0.json] }) }
  }

  /// The time zone in which dates are shown, by its IANA name; `nil` for that of the device.
  ///
  /// Documents may also name `system`, which counts as none, and `unknown`: dates are then shown as they are
  /// stored, which is GMT.
  public var timeZone: String? {
    switch json.filledText("timeZone") {
    case "system", nil: nil
    case "unknown": "GMT"
    case let name: name
    }
  }

  /// The scales to which people are kept.
  public var scaleRange: ScaleRange {
    ScaleRange(minScale: json.number("minScale") ?? 0, maxScale: json.number("maxScale") ?? 0)
  }

  /// The scale, as a denominator, at which symbols have the size they say; 0 for every scale.
  public var referenceScale: Double {
    get { json.number("referenceScale") ?? 0 }
    set { setMember("referenceScale", JSONValue(newValue)) }
  }

  /// The offline settings of the author.
  public var offlineSettings: OfflineSettings {
    OfflineSettings(json: json.object("applicationProperties")?.object("offline") ?? [:])
  }

  /// The networks for routes.
  public var transportationNetworks: [MapNetwork] {
    json.objects("transportationNetworks").map(MapNetwork.init(json:))
  }

  /// The networks of utilities.
  public var utilityNetworks: [MapNetwork] {
    json.objects("utilityNetworks").map(MapNetwork.init(json:))
  }

  /// Changes every layer and table, in groups and in the basemap too; groups come before what is
  /// in them.
  ///
  /// Entries of the lists that are no layers at all stay as they are.
  public mutating func updateLayers(_ change: (inout Layer) -> Void) {
    update("operationalLayers", in: &json, role: .operational, change)
    update("tables", in: &json, role: .table, change)
    guard var basemap = json.object("baseMap") else { return }
    update("baseMapLayers", in: &basemap, role: .basemap, change)
    json["baseMap"] = .object(basemap)
  }

  private func update(
    _ name: String, in object: inout JSONObject, role: Layer.Role,
    _ change: (inout Layer) -> Void
  ) {
    guard var elements = object[name]?.array else { return }
    for index in elements.indices {
      guard let json = elements[index].object else { continue }
      var layer = Layer(json: json, role: role)
      layer.updateTree(change)
      elements[index] = .object(layer.json)
    }
    object[name] = .array(elements)
  }
}
