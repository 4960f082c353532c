/// The documents of a portal for a map whose basemap names a style and an item, as on ArcGIS
/// Online.
struct VectorBasemapDocuments {
  private let basemap: AreaPortal.VectorBasemap

  init(_ basemap: AreaPortal.VectorBasemap) { self.basemap = basemap }

  /// The document at a path; `nil` where the basemap makes no difference.
  func document(at path: String, _ item: (String) -> String) -> String? {
    let items = "/content/items"
    switch path {
    case "\(items)/\(AreaPortal.webMap)/data":
      return """
        {"version": "2.31", "spatialReference": {"wkid": 102100}, "operationalLayers": [],
         "baseMap": {"title": "Topographic", "baseMapLayers": [
          {"id": "World", "title": "World", "layerType": "VectorTileLayer", "visibility": true,
           "opacity": 1, \(reference)}]}}
        """
    case "/portals/self":
      return """
        {"isPortal": false, "helperServices": {"packaging": {"url": "https://packaging.example",
         "exportTilesMap": [{"source": "services.example", "export": "basemaps.example"}]}}}
        """
    case "\(items)/\(AreaPortal.area)/relatedItems":
      return #"{"relatedItems": [\#(item(AreaPortal.vectorTiles))]}"#
    case "\(items)/\(AreaPortal.basemap)":
      return """
        {"id": "\(AreaPortal.basemap)", "type": "Vector Tile Service", "title": "Topographic",
         "url": \(basemap == .itemURL ? "\"\(service)\"" : "null")}
        """
    case "\(items)/\(AreaPortal.basemap)/resources/styles/root.json": return style
    case "/services/World/VectorTileServer/resources/styles/root.json": return style
    default: return nil
    }
  }

  private let service = "https://basemaps.example/services/World/VectorTileServer"

  /// The reference of the layer to its service.
  private var reference: String {
    basemap == .servingHost
      ? #""url": "https://services.example/services/World/VectorTileServer""#
      : #""itemId": "\#(AreaPortal.basemap)", "styleUrl": "\#(styleURL)""#
  }

  private var styleURL: String {
    basemap == .relativeStyleSources
      ? "\(service)/resources/styles/root.json"
      : "https://portal.example/sharing/rest/content/items/\(AreaPortal.basemap)"
        + "/resources/styles/root.json"
  }

  private var style: String {
    switch basemap {
    case .styleSources: #"{"version": 8, "sources": {"esri": {"url": "\#(service)"}}}"#
    case .relativeStyleSources: #"{"version": 8, "sources": {"esri": {"url": "../../"}}}"#
    case .itemURL, .servingHost, .nothing:
      #"{"error": {"code": 400, "message": "Not there.", "details": []}}"#
    }
  }
}
