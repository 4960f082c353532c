import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTransport
import Testing

extension RecordedBodyReader {
  /// The readers of the bodies of feature services.
  static let features: [RecordedBodyReader] = [
    RecordedBodyReader("featurequery/*metadata.json", layer),
    RecordedBodyReader("featureserver/*layer-info.json", layer),
    RecordedBodyReader("featureserver/*getFeatureServiceResponse.json") { portal, url in
      // Without fields there is nothing to query.
      let table = try await ServiceFeatureTable.load(url, client: portal.client)
      #expect(table.info.schema == nil && table.info.name == "Service Requests")
    },
    RecordedBodyReader("featureserver/*layerDefinitionSid.json", layer),
    RecordedBodyReader("featureserver/*_Parks_3.json", layer),
    RecordedBodyReader("featureserver/*_act-veg-map.json", layer),
    RecordedBodyReader("featureserver/*_Water_Network_2.json", layer),
    RecordedBodyReader("featureserver/*_Water_Network_Multi_2.json", layer),
    RecordedBodyReader("featureserver/*_styles_lines.json", layer),
    RecordedBodyReader("featureserver/*_type1_*", layer),
    // A server that knows neither of counting nor of ids gives features.
    RecordedBodyReader("featurequery/*us-il-cook_*-only.json", page),
    RecordedBodyReader("featurequery/*us-*-*-ids-only.json", objectIDs),
    RecordedBodyReader("featurequery/*us-il-chicago_count-only.json", count),
    RecordedBodyReader("featurequery/*us-*-*-count-only.json", count),
    RecordedBodyReader("featurequery/*geojson_*", geoJSON),
    RecordedBodyReader("featureserver/*-features*.json", geoJSON),
    RecordedBodyReader("featureserver/*-feature-query.json", geoJSON),
    RecordedBodyReader("featureserver/*.geojson", geoJSON),
    RecordedBodyReader("featurequery/arcgis-rest-js__*.json", page),
    RecordedBodyReader("featurequery/*-0.json", page),
    RecordedBodyReader("featurequery/*page-*.json", page),
    RecordedBodyReader("featureserver/*ueryResponse.json", page),
    RecordedBodyReader("featureserver/*exceedsLimit.json", page),
    RecordedBodyReader("featureserver/*_layer*.json", page),
    RecordedBodyReader("featureserver/*Wildfire_1.json", page),
    RecordedBodyReader("featureserver/*.pbf", pbf),
    RecordedBodyReader("pbf/*.pbf", pbf),
    RecordedBodyReader("pbf/*.json") { portal, url in
      let json = try await portal.client.json(url)
      #expect(json["featureCollection"]?["features"]?.array?.isEmpty == false)
    },
    RecordedBodyReader("featurequery/*-statistics.json", statistics),
    RecordedBodyReader("featurequery/*-outStatistics.json", statistics),
    RecordedBodyReader("featureserver/*service-info.json", service),
    RecordedBodyReader("featureserver/*eatureServer.json", service),
    RecordedBodyReader("featureserver/*getFeatureServerResponse.json", service),
    RecordedBodyReader("featureserver/*_type0_*", service),
    RecordedBodyReader("featureserver/*allLayersAndTablesResponse.json") { portal, url in
      let layers = try await FeatureService(url: url, client: portal.client).layers()
      #expect(!layers.isEmpty && layers.allSatisfy { !$0.name.isEmpty && $0.schema != nil })
    },
    RecordedBodyReader("featureserver/*getAttachmentsResponse.json") { portal, url in
      let attachments = try await table(portal, url).attachments(of: 1)
      #expect(attachments.first?.name.isEmpty == false)
    },
    RecordedBodyReader("featureserver/*queryRelatedResponse.json") { portal, url in
      let related = try await table(portal, url).relatedFeatures(to: [1], through: 0)
      #expect(related.values.allSatisfy { !$0.features.isEmpty } && !related.isEmpty)
    },
    // Answers to changes, which are read as they are, or are errors.
    RecordedBodyReader("featureserver/*Success*.json", plain),
    RecordedBodyReader("featureserver/*AttachmentResponse.json", plain),
    RecordedBodyReader("featureserver/*deleteAttachmentsResponse.json", plain),
    RecordedBodyReader("featureserver/*FeaturesResponse.json", plain),
    RecordedBodyReader("featureserver/*applyEditsResponse.json", plain),
    RecordedBodyReader("featureserver/*_FeatureServiceResponse.json", plain),
    RecordedBodyReader("featureserver/*featureResponse.json", plain),
    RecordedBodyReader("featureserver/*cvdFeaturesFormatted.json") { portal, url in
      let json = try await portal.client.json(url)
      #expect(json.array?.count == 3)
    },
    RecordedBodyReader("featureserver/*Error.json", refusal),
    RecordedBodyReader("featureserver/*InvalidResponse.json", refusal),
  ]

  @Sendable static func refusal(_ portal: Portal, _ url: URL) async throws {
    await #expect(throws: PortalError.self) { try await portal.client.json(url) }
  }

  private static func table(_ portal: Portal, _ url: URL) -> ServiceFeatureTable {
    let json: JSONValue = [
      "type": "Feature Layer", "supportedQueryFormats": "JSON, PBF",
      "advancedQueryCapabilities": ["supportsPagination": true],
    ]
    // The literal is a layer.
    guard let info = FeatureLayerInfo(json: json) else { preconditionFailure() }
    return ServiceFeatureTable(url: url, info: info, client: portal.client)
  }

  @Sendable static func layer(_ portal: Portal, _ url: URL) async throws {
    let table = try await ServiceFeatureTable.load(url, client: portal.client)
    #expect(!table.info.name.isEmpty || table.info.schema != nil)
    #expect(table.info.schema?.fields.isEmpty == false)
  }

  @Sendable private static func count(_ portal: Portal, _ url: URL) async throws {
    let count = try await table(portal, url).count()
    #expect(count >= 0)
  }

  @Sendable private static func objectIDs(_ portal: Portal, _ url: URL) async throws {
    let ids = try await table(portal, url).objectIDs()
    #expect(Set(ids).count == ids.count && !ids.isEmpty)
  }

  @Sendable private static func page(_ portal: Portal, _ url: URL) async throws {
    var pages = table(portal, url).pages().makeAsyncIterator()
    let page = try await pages.next()
    // Pages without features are passed over.
    #expect(page?.features.isEmpty != true && page?.unreadableShapes.isEmpty != false)
  }

  @Sendable private static func pbf(_ portal: Portal, _ url: URL) async throws {
    let data = try await portal.client.data(url).body
    let set = try FeatureSet(parsingPBF: data)
    #expect(!set.features.isEmpty && set.unreadableShapes.isEmpty && !set.fields.isEmpty)
    try await page(portal, url)
  }

  @Sendable private static func geoJSON(_ portal: Portal, _ url: URL) async throws {
    let features = try await portal.client.json(url)["features"]?.array ?? []
    #expect(!features.isEmpty)
    for shape in features.prefix(100).compactMap({ $0["geometry"] }) where !shape.isNull {
      _ = try Geometry(geoJSON: shape)
    }
  }

  @Sendable private static func statistics(_ portal: Portal, _ url: URL) async throws {
    do throws(PortalError) {
      let figures = try await table(portal, url).statistics([])
      #expect(!figures.features.isEmpty)
    } catch {
      // Some servers cannot; that was recorded too.
      guard case .server = error else { throw error }
    }
  }

  @Sendable private static func service(_ portal: Portal, _ url: URL) async throws {
    let info = try await FeatureService(url: url, client: portal.client).info()
    #expect(!info.layers.isEmpty)
  }
}
