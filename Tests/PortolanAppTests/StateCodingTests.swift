import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanMap
import Testing

@testable import PortolanApp

@MainActor
@Suite struct StateCodingTests {
  /// Whether a state is the same after it was written and read.
  private func comesBack<State: Codable & Equatable>(_ state: State) throws -> Bool {
    try StateCoding.state(State.self, from: try StateCoding.data(of: state)) == state
  }

  @Test func `The states of a map's screens come back as they were`() async throws {
    var map = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    map.isEditable = true
    let model = MapModel(map: try map.map([MemoryMap.layer("a"), MemoryMap.layer("gone")]))
    await model.load()
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    #expect(model.popups.state.selection != nil)
    #expect(try comesBack(model.state))
    #expect(try comesBack(model.tableOfContents.state))
    #expect(try comesBack(model.legend.state))
    #expect(try comesBack(model.bookmarks.state))
    #expect(try comesBack(model.identify.state))
    #expect(try comesBack(model.popups.state))
    #expect(try comesBack(model.editing.state))
  }

  @Test func `Legends come back with symbols of every kind`() throws {
    let marker = Symbol(json: [
      "type": "esriSMS", "style": "esriSMSCircle", "size": 8, "color": [1, 2, 3, 255],
    ])
    let foreign = Symbol(json: ["type": "CIMSymbolReference", "symbol": ["x": 1.5]])
    let entries: [LegendInfo.Swatch] = [
      .symbol(marker), .symbol(foreign), .none,
      .ramp([ColorStop(value: 0.5, color: RGBAColor(red: 1, green: 2, blue: 3, alpha: 4))]),
    ]
    for swatch in entries {
      let data = try StateCoding.data(of: swatch)
      #expect(try StateCoding.state(LegendInfo.Swatch.self, from: data) == swatch)
    }
  }

  @Test func `Places that are not a number, blobs and dates come back`() throws {
    let path = Path([Coordinate(x: 1, y: 2)], z: [.infinity], m: nil)
    #expect(try comesBack(Geometry.polyline(Polyline(paths: [path]))))
    let values: [AttributeValue] = [
      .null, .integer(.max), .double(-.infinity), .text("é"), .blob(Data([0, 255])),
      .date(Date(timeIntervalSince1970: 1.25)),
    ]
    #expect(try comesBack(values))
  }

  @Test func `Rows of the list of maps come back in every state`() throws {
    let job = Job(
      id: JobID(UUID()), kind: "test", subject: "a", title: "A", parameters: Data(),
      created: .distantPast, position: 0)
    let failure = JobFailure(message: "No.", kind: .refused)
    let states: [MapListItem.State] = [
      .online, .available, .packaging, .packagingFailed, .transferring(MapTransfer(job)),
      .failed(MapTransfer(job), failure),
      .stored(StoredCopy(installed: .distantPast, omissions: ["x"], transfer: MapTransfer(job))),
    ]
    var list = MapListModel.State()
    list.items = states.map { MapListItem(id: "a", kind: .area, title: "A", state: $0) }
    list.banner = Problem(message: "No.", kind: .network)
    #expect(try comesBack(list))
  }

  @Test func `The signed-in user is restored`() throws {
    let portal = try #require(URL(string: "https://a.example"))
    let user = SignedInUser(
      portal: portal, username: "kim", fullName: nil, organization: nil, method: .oauth,
      expires: .distantFuture, needsSignIn: false, isOffline: true)
    for phase in [
      SessionState.Phase.unknown, .signedOut, .signingIn(page: portal), .signedIn(user),
      .needsSignIn(user),
    ] {
      var state = SessionState(portal: portal)
      state.phase = phase
      #expect(try comesBack(state))
    }
  }
}
