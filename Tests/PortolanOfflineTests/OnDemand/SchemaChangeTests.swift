import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanOffline

/// Services whose layers are changed between plan and job, or while a job asks them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct SchemaChangeTests {
  /// The way by which features come.
  enum Way: String, CaseIterable {
    case query, json

    /// Hides from a description what features could come by otherwise.
    func hide(_ answer: JSONObject) -> JSONObject {
      guard self == .query else { return answer }
      guard answer["syncEnabled"] != nil else { return answer }
      var answer = answer
      answer["syncEnabled"] = false
      return answer
    }
  }

  /// Another description of the layers, from some look on: without a field unless told otherwise.
  private final class Change: Sendable {
    private let looks = Mutex(0)
    private let first: Int
    private let change: @Sendable ([JSONValue]) -> [JSONValue]

    init(
      atLook first: Int,
      _ change: @escaping @Sendable ([JSONValue]) -> [JSONValue] = Change.withoutHeights
    ) {
      self.first = first
      self.change = change
    }

    func answer(_ answer: JSONObject) -> JSONObject {
      guard let layers = answer["layers"]?.array, layers.contains(where: { $0["fields"] != nil })
      else { return answer }
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      guard look >= first else { return answer }
      var answer = answer
      answer["layers"] = .array(
        layers.map { layer in
          guard layer["id"]?.int == 1, var members = layer.object else { return layer }
          members["fields"] = .array(change(layer["fields"]?.array ?? []))
          return .object(members)
        })
      return answer
    }

    static func withoutHeights(_ fields: [JSONValue]) -> [JSONValue] {
      fields.filter { $0["name"]?.string != "HEIGHT_FT" }
    }
  }

  private func bed(
    _ way: Way, _ answer: @escaping @Sendable (JSONObject) -> JSONObject
  ) async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory) {
      LyingTransport($0, answering: { answer(way.hide($0)) })
    }
  }

  private func parameters(
    _ bed: OfflineJobBed, _ way: Way
  ) async throws -> GenerateOfflineMapParameters {
    let root = "https://demo.test/\(way == .json ? "server102" : "arcgis")/rest/services"
    let layers: [JSONValue] = [(1, "Lighthouses"), (0, "Towns")].map { number, name in
      [
        "id": .string(name), "title": .string(name), "layerType": "ArcGISFeatureLayer",
        "url": .string("\(root)/ExploreMaine/FeatureServer/\(number)"),
      ]
    }
    return try await bed.parameters(operational: layers)
  }

  private func fields(_ made: OfflineJobBed.Made) async throws -> [String] {
    let schemas = try await made.geodatabase()?.schemas() ?? []
    return schemas.first { $0.name == "Lighthouses" }?.fields.map { $0.name.uppercased() } ?? []
  }

  @Test(arguments: Way.allCases)
  func `Layers that are changed while a job asks them are asked once more`(
    _ way: Way
  ) async throws {
    // The parameters and the beginning of the job see the field, its end does not.
    let change = Change(atLook: 3)
    let bed = try await bed(way, change.answer)
    let parameters = try await parameters(bed, way)
    do {
      _ = try await bed.make(parameters)
      Issue.record("The change was not noticed.")
    } catch JobInterruption.failed(let failure) {
      let error = OfflineMapError.serviceChanged(service: "ExploreMaine")
      #expect(failure.kind == .transient && failure.message == error.errorDescription)
    }
    let made = try await bed.make(parameters)
    #expect(made.outcome.isComplete)
    #expect(try await made.count("Lighthouses") > 0)
    let fields = try await fields(made)
    #expect(fields.contains("NAME") && !fields.contains("HEIGHT_FT"))
  }

  @Test(arguments: Way.allCases)
  func `Layers that were changed between plan and job come as they are now`(
    _ way: Way
  ) async throws {
    let change = Change(atLook: 2)
    let bed = try await bed(way, change.answer)
    let made = try await bed.make(try await parameters(bed, way))
    #expect(made.outcome.isComplete)
    #expect(try await made.count("Lighthouses") > 0)
    let fields = try await fields(made)
    #expect(fields.contains("NAME") && !fields.contains("HEIGHT_FT"))
  }

  @Test(arguments: Way.allCases)
  func `Fields that come in another order while a job asks are no change`(_ way: Way) async throws {
    let change = Change(atLook: 3) { Array($0.reversed()) }
    let bed = try await bed(way, change.answer)
    let made = try await bed.make(try await parameters(bed, way))
    #expect(made.outcome.isComplete)
    #expect(try await made.count("Lighthouses") > 0)
  }

  @Test func `A condition on a removed field is reported in the service's own words`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(
        operational: [OfflineJobBed.layer(1, "Lighthouses", where: "GONE_FIELD > 3")],
        basemap: [OfflineJobBed.pictures]))
    #expect(made.map.layer(withID: "Lighthouses") == nil)
    let failure = try #require(made.outcome.failedItems.first?.failure)
    #expect(failure.message.contains("GONE_FIELD"))
    #expect(made.map.basemap.layers.count == 1)
  }

  @Test func `Features whose shapes cannot be read come without them, which is reported`()
    async throws
  {
    let bed = try await bed(.query) { answer in
      var answer = answer
      if let layers = answer["layers"]?.array {
        answer["layers"] = .array(
          layers.map { layer in
            guard var members = layer.object, members["supportedQueryFormats"] != nil else {
              return layer
            }
            members["supportedQueryFormats"] = "JSON"
            return .object(members)
          })
      }
      guard var rows = answer["features"]?.array,
        answer["geometryType"]?.string == "esriGeometryPoint",
        var first = rows.first?.object
      else { return answer }
      first["geometry"] = ["x": "west", "y": "north"]
      rows[0] = .object(first)
      answer["features"] = .array(rows)
      return answer
    }
    let made = try await bed.make(try await parameters(bed, .query))
    #expect(!made.outcome.isComplete)
    let item = try #require(made.outcome.failedItems.first { $0.name == "Lighthouses" })
    #expect(item.failure.message.contains("A feature of Lighthouses"))
    #expect(try await made.count("Lighthouses") > 1)
    #expect(made.lease.map.omissions.count == made.outcome.failedItems.count)
  }

  @Test func `A shape that cannot be read leaves the rest of a replica, and is asked for again`()
    async throws
  {
    let bed = try await bed(.json) { answer in
      var answer = answer
      guard let layers = answer["layers"]?.array else { return answer }
      answer["layers"] = .array(
        layers.map { layer in
          guard layer["id"]?.int == 1, var rows = layer["features"]?.array,
            var members = layer.object, var first = rows.first?.object
          else { return layer }
          first["geometry"] = ["x": "west", "y": "north"]
          rows[0] = .object(first)
          members["features"] = .array(rows)
          return .object(members)
        })
      return answer
    }
    let parameters = try await parameters(bed, .json)
    let made = try await bed.make(parameters)
    let item = try #require(made.outcome.failedItems.first)
    #expect(made.outcome.failedItems.count == 1)
    #expect(item.failure.message.contains("A feature of Lighthouses"))
    let count = try await made.count("Lighthouses")
    #expect(count > 1)
    let task = OfflineMapSyncTask(bed.bed.environment)
    #expect(try await task.conflicts(of: made.lease.map.id).map(\.issue.isIncomplete) == [true])
    #expect(try await made.geodatabase()?.localChanges().changes.isEmpty == true)
    let order = try OfflineJobOrder(
      SyncOfflineMapParameters(portal: parameters.portal, map: parameters.mapID), title: "Casco")
    _ = try await bed.run(order)
    #expect(try await made.count("Lighthouses") == count + 1)
    #expect(try await task.conflicts(of: made.lease.map.id).isEmpty)
  }
}
