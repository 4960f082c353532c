import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import Testing

extension RecordedBodyReader {
  /// The readers of the bodies of geocode services and of jobs.
  static let jobs: [RecordedBodyReader] = [
    RecordedBodyReader("geocode/*Suggest.json") { portal, url in
      let suggestions = try await GeocodeService(url: url, client: portal.client).suggest(
        for: "lax")
      #expect(suggestions.count == 5 && suggestions.allSatisfy { $0.magicKey != nil })
    },
    RecordedBodyReader("geocode/*SharingInfo.json") { portal, url in
      let info = try await GeocodeService(url: url, client: portal.client).info()
      #expect(info.singleLineField == "SingleLine" && info.maxBatchSize != nil)
    },
    RecordedBodyReader("geocode/*FindAddressCandidates*.json", candidates),
    RecordedBodyReader("geocode/*esri_austin_tx.json", candidates),
    RecordedBodyReader("geocode/*esri_madison_square_garden.json", candidates),
    RecordedBodyReader("geocode/*esri_new_york_ny.json", candidates),
    RecordedBodyReader("geocode/*esri_washington_dc.json", candidates),
    RecordedBodyReader("geocode/*2cc09aa6d6ed.json", candidates),
    RecordedBodyReader("geocode/*d69e7fc2d693.json", candidates),
    RecordedBodyReader("geocode/*fe533235edae.json", candidates),
    RecordedBodyReader("geocode/*esri_no_results.json", nothing),
    RecordedBodyReader("geocode/*383c31577858.json", nothing),
    RecordedBodyReader("geocode/*393c8b909ec2.json", nothing),
    RecordedBodyReader("geocode/*87a71d00e854.json", refusal),
    RecordedBodyReader("geocode/*GeocodeAddresses.json", batch),
    RecordedBodyReader("geocode/*9057256b5a7c.json", batch),
    RecordedBodyReader("geocode/*everseGeocode.json", reverse),
    RecordedBodyReader("geocode/*esri_reverse.json", reverse),
    RecordedBodyReader("geocode/*2278ca326002.json", reverse),
    RecordedBodyReader("geocode/*abc85fef7bb2.json", reverse),
    RecordedBodyReader("gp/*GPJobIdResponse.json") { portal, url in
      let status = try await GeoprocessingTask(url: url, client: portal.client).submit([:])
      #expect(status.stage == .submitted && !status.id.isEmpty)
    },
    RecordedBodyReader("gp/*GPJobInfoWithResults.json", results),
    RecordedBodyReader("gp/*mockAllResults.json", results),
    RecordedBodyReader("gp/*GPJobInfoFailure.json", failure),
    RecordedBodyReader("gp/*failedState.json", failure),
    RecordedBodyReader("gp/*mockCancelledState.json") { portal, url in
      let task = GeoprocessingTask(url: url, client: portal.client)
      let status = try await task.cancel("j1")
      #expect(status.stage == .cancelled && status.messages.count == 2)
    },
    // The parts of a call that clients keep, and results that are not values.
    RecordedBodyReader("gp/*GPEndpointCall.json", plain),
    RecordedBodyReader("gp/*mockAllResultsRequest.json", plain),
    RecordedBodyReader("gp/*mockHotspot_Raster.json", plain),
    RecordedBodyReader("sync/*async-submitted.json") { portal, url in
      let json = try await portal.client.json(url)
      #expect(ReplicaJobStatus(json: json)?.statusURL != nil)
    },
    RecordedBodyReader("sync/*job-completed.json") { portal, url in
      let json = try await portal.client.json(url)
      let status = try #require(ReplicaJobStatus(json: json))
      #expect(status.isFinal && !status.hasFailed && status.resultURL != nil)
      #expect(status.layerServerGens == [0: 2590] && status.submitted != nil)
    },
  ]

  @Sendable private static func candidates(_ portal: Portal, _ url: URL) async throws {
    let places = try await GeocodeService(url: url, client: portal.client).geocode("x")
    #expect(!places.isEmpty && places.allSatisfy { $0.location != nil && !$0.label.isEmpty })
    #expect(places.allSatisfy { $0.spatialReference != nil })
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.score >= $1.score })
  }

  @Sendable private static func nothing(_ portal: Portal, _ url: URL) async throws {
    let places = try await GeocodeService(url: url, client: portal.client).geocode("x")
    #expect(places.isEmpty)
  }

  @Sendable private static func batch(_ portal: Portal, _ url: URL) async throws {
    let addresses = ["zero", "one", "two", "three"]
    let service = GeocodeService(url: url, client: portal.client)
    let places = try await service.geocode(batch: addresses)
    #expect(places.count == 4 && places[0] == nil && places[1]?.location != nil)
  }

  @Sendable private static func reverse(_ portal: Portal, _ url: URL) async throws {
    let service = GeocodeService(url: url, client: portal.client)
    let place = try await service.reverseGeocode(Point(x: 1, y: 2))
    #expect(place?.label.isEmpty == false && place?.location != nil)
  }

  @Sendable private static func results(_ portal: Portal, _ url: URL) async throws {
    let task = GeoprocessingTask(url: url, client: portal.client)
    let status = try await task.status(of: "j1")
    #expect(status.stage == .succeeded && !status.resultPaths.isEmpty && status.failure == nil)
  }

  @Sendable private static func failure(_ portal: Portal, _ url: URL) async throws {
    let task = GeoprocessingTask(url: url, client: portal.client)
    let status = try await task.status(of: "j1")
    #expect(status.stage == .failed && status.failure?.message.isEmpty == false)
  }
}
