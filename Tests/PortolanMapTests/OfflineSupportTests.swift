import PortolanJSON
import PortolanMap
import Testing

@Suite struct OfflineSupportTests {
  static let supported: [LayerType] = [
    .tiledMapService, .mapService, .imageService, .tiledImageService, .vectorTile, .group,
    .subtypeGroup, .subtypeGroupTable,
  ]

  @Test(arguments: LayerType.allCases)
  func `Layers are supported offline if they are of the kinds that services hand out`(
    _ type: LayerType
  ) {
    let support = Layer(type, id: "a", title: "A").offlineSupport
    #expect(support.isSupported == Self.supported.contains(type))
    #expect(support.isSupported || support.reason?.hasSuffix(".") == true)
  }

  @Test func `A feature layer is supported if the map says where its features are`() {
    #expect(Layer(json: ["url": "https://x/FeatureServer/0"]).offlineSupport == .supported)
    #expect(Layer(json: ["layerType": "ArcGISFeatureLayer"]).offlineSupport.reason != nil)
    #expect(Layer(json: ["featureCollection": [:]]).offlineSupport == .supported)
  }

  @Test func `A layer in a package is supported if its file can be read`() {
    #expect(Layer(json: ["path": "file:./a.tpkx"]).offlineSupport == .supported)
    let layer = Layer(json: ["layerType": "ArcGISFeatureLayer", "path": "file:./a.gdb"])
    #expect(layer.offlineSupport.reason == "Files of type \".gdb\" cannot be read.")
  }

  @Test func `A group is supported if one of its layers is`() {
    let wms: JSONValue = ["layerType": "WMS"]
    let tiles: JSONValue = ["layerType": "ArcGISTiledMapServiceLayer"]
    let mixed = Layer(json: ["layerType": "GroupLayer", "layers": [wms, tiles]])
    let online = Layer(json: ["layerType": "GroupLayer", "layers": [wms]])
    #expect(mixed.offlineSupport == .supported)
    #expect(online.offlineSupport.reason?.contains("None") == true)
  }

  @Test func `Settings that a map does not make are those of the specification`() {
    let settings = OfflineSettings()
    #expect(settings.editableDownload == .featuresAndAttachments)
    #expect(settings.editableSync == .syncFeaturesAndAttachments)
    #expect(settings.downloadsReadOnlyAttachments)
    #expect(settings.includesTableRows)
    #expect(settings.referenceBasemapName == nil)
    #expect(settings.connectedOnlineLayerIDs.isEmpty)
  }
}
