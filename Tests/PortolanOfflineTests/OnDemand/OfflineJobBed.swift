import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Runs jobs on the demo portal and looks at what they have made.
struct OfflineJobBed {
  /// As long as the ids of jobs are.
  static let jobName = "7e4a1d3c-5b60-4f0e-9a51-0c2d8f6b1e90"

  let bed: DemoBed
  let folder: URL

  init(
    in folder: URL, looksPerJob: Int = 1,
    through wrapped: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) async throws {
    bed = try await DemoBed(in: folder, looksPerJob: looksPerJob, through: wrapped)
    self.folder = folder
  }

  /// Keeps what a job wrote down, as the journal does.
  actor Journal {
    private(set) var checkpoint: Data?
    private(set) var messages: [String] = []
    func keep(_ data: Data?) { checkpoint = data }
    func add(_ message: String) { messages.append(message) }
  }

  /// Runs a job to its end, after so many runs that have failed.
  func run(
    _ order: OfflineJobOrder, _ journal: Journal = Journal(), afterFailures attempts: Int = 0
  ) async throws -> (outcome: JobOutcome, job: Job) {
    var job = Job(
      id: try #require(JobID(Self.jobName)), kind: order.kind, subject: order.subject,
      title: order.title, parameters: order.parameters, created: DemoBed.day, position: 0)
    job.checkpoint = await journal.checkpoint
    job.attempts = attempts
    let reporter = JobReporter(
      progress: { _ in }, message: { text, _ in await journal.add(text) },
      checkpoint: { await journal.keep($0) })
    let outcome = try await OfflineJobRunner(bed.environment).run(job, reporter: reporter)
    job.checkpoint = await journal.checkpoint
    return (outcome, job)
  }

  /// The result of a job.
  struct Made {
    let map: WebMap
    let url: URL
    let outcome: JobOutcome
    let lease: MapLease
    let title: String

    /// The paths of the files in the layers.
    var paths: [String] {
      map.allLayers.compactMap { $0.path?.text } + map.basemap.layers.compactMap { $0.path?.text }
    }

    /// The geodatabase; `nil` if there is none.
    func geodatabase() throws -> Geodatabase? {
      let data = url.appending(path: "p13")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: data.path(percentEncoded: false))
      return try names.first { $0.hasSuffix(".geodatabase") }.map {
        try Geodatabase.open(at: data.appending(path: $0))
      }
    }

    /// The number of rows of a table.
    func count(_ table: String, where clause: String? = nil) async throws -> Int {
      let store = try #require(try geodatabase())
      return try await store.count(
        in: table, matching: clause.map { QueryParameters(whereClause: $0) } ?? QueryParameters())
    }

    /// The names of the attachments of all features of a table.
    func attachments(_ table: String) async throws -> Int {
      let store = try #require(try geodatabase())
      var count = 0
      for try await feature in store.features(in: table, matching: QueryParameters()) {
        count += try await store.attachments(of: feature.objectID, in: table).count
      }
      return count
    }
  }

  /// Makes an offline map.
  func make(
    _ parameters: GenerateOfflineMapParameters,
    _ overrides: GenerateOfflineMapParameterOverrides? = nil
  ) async throws -> Made {
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(parameters: parameters, overrides: overrides),
      title: parameters.itemInfo.title)
    let outcome = try await run(order).outcome
    let lease = try await bed.library.open(try #require(MapID(parameters.mapID)))
    let package = try await MobileMapPackage.open(
      at: lease.url, unpackingInto: folder.appending(path: "u"), now: DemoBed.day)
    return Made(
      map: try #require(package.maps.first?.webMap), url: lease.url, outcome: outcome, lease: lease,
      title: lease.map.title)
  }

  /// Puts a web map on the portal whose layers are those, and names it in parameters.
  func parameters(
    operational: [JSONValue], tables: [JSONValue] = [], basemap: [JSONValue] = []
  ) async throws -> GenerateOfflineMapParameters {
    let id = await bed.state.nextID()
    await put(id, operational: operational, tables: tables, basemap: basemap)
    let task = OfflineMapTask(portal: bed.portal, webMap: try PortalItem.ID(id))
    return try await task.makeDefaultGenerateOfflineMapParameters(
      areaOfInterest: DemoBed.casco, minScale: 5_000_000, maxScale: 500_000, id: UUID())
  }

  /// Puts a web map on the portal, in place of the one of that id.
  func put(
    _ id: String, operational: [JSONValue], tables: [JSONValue] = [], basemap: [JSONValue] = []
  ) async {
    let document: JSONValue = [
      "version": "2.31", "operationalLayers": .array(operational), "tables": .array(tables),
      "baseMap": ["title": "Basemap", "baseMapLayers": .array(basemap)],
      "spatialReference": ["wkid": 102_100, "latestWkid": 3857],
    ]
    var item = DemoItem(
      id: id, owner: "demo", title: "Test map", type: "Web Map", created: DemoBed.day)
    item.content = .document(document.text())
    await bed.state.put(item)
  }

  /// The address of a service.
  static func service(_ name: String, _ type: String = "FeatureServer") -> String {
    "https://demo.test/arcgis/rest/services/\(name)/\(type)"
  }

  /// A layer of *Explore Maine*.
  static func layer(
    _ number: Int, _ id: String, where clause: String? = nil
  ) -> JSONValue {
    var members: JSONObject = [
      "id": .string(id), "title": .string(id), "layerType": "ArcGISFeatureLayer",
      "url": .string(service("ExploreMaine") + "/\(number)"),
    ]
    if let clause { members["layerDefinition"] = ["definitionExpression": .string(clause)] }
    return .object(members)
  }

  /// The basemap as tiles that are pictures.
  static let pictures: JSONValue = [
    "id": "backdrop", "title": "Backdrop", "layerType": "ArcGISTiledMapServiceLayer",
    "url": .string(service("MaineBackdrop", "MapServer")),
  ]

  /// The basemap as vector tiles.
  static let vectors: JSONValue = [
    "id": "vectors", "title": "Vectors", "layerType": "VectorTileLayer",
    "url": .string(service("MaineVector", "VectorTileServer")),
  ]
}
