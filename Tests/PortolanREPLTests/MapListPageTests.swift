import Foundation
import PortolanApp
import PortolanJSON
import PortolanJobs
import Testing

@testable import PortolanREPL

/// The details of the list of maps on each map, where they are requested.
@Suite struct MapListPageTests {
  private func text(_ contents: String, isExpired: Bool = false) throws -> String {
    let read = try StateCoding.state(StoredContents.self, from: Data(contents.utf8))
    let item = MapListItem(
      id: "a", kind: .package, title: "Town", summary: "Streets and parks.",
      state: .stored(
        StoredCopy(
          installed: Date(timeIntervalSince1970: 1_795_000_000), contents: read,
          isExpired: isExpired)))
    var page = MapListPage(items: [item], banner: nil)
    page.showsDetails = true
    return TextLayout(width: 80, usesColor: false).text(of: page.text)
  }

  @Test func `A download without a worker is shown as stopped, with what resumes it`() throws {
    let job = Job(
      id: try #require(JobID("job-a")), kind: "preplanned-area", subject: "a", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    var page = MapListPage(
      items: [
        MapListItem(
          id: "a", kind: .area, title: "Casco", summary: nil, state: .transferring(MapTransfer(job))
        )
      ], banner: nil)
    page.isAttended = false
    let shown = TextLayout(width: 120, usesColor: false).text(of: page.text)
    #expect(shown.contains("stopped") && shown.contains("\"jobs --watch\""), "\(shown)")
  }

  @Test func `A map that an audit has found damaged says so, and what repairs it`() throws {
    let copy = StoredCopy(
      installed: Date(timeIntervalSince1970: 0), damage: "p13/tiles.tpkx is missing.")
    let item = MapListItem(
      id: "a", kind: .area, title: "Casco", summary: nil, state: .stored(copy))
    let shown = TextLayout(width: 200, usesColor: false)
      .text(of: MapListPage(items: [item], banner: nil).text)
    #expect(shown.contains("on this device, damaged"))
    #expect(shown.contains("\"Casco\" is damaged: p13/tiles.tpkx is missing. \"audit\" lists"))
    #expect(item.json["damage"] == "p13/tiles.tpkx is missing.")
  }

  @Test func `The reason of a failed download is shown in full below the table`() throws {
    let job = Job(
      id: try #require(JobID("job-a")), kind: "preplanned-area", subject: "a", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    let why = "http://gis.example.org/sharing/rest/content/items/a/data does not exist."
    let item = MapListItem(
      id: "a", kind: .area, title: "Casco", summary: nil,
      state: .failed(MapTransfer(job), JobFailure(message: why, kind: .absent)))
    let page = MapListPage(items: [item], banner: nil)
    let shown = TextLayout(width: 100, usesColor: false).text(of: page.text)
    #expect(shown.contains("\"Casco\" failed: \(why)"), "\(shown)")
    #expect(shown.contains("a   Casco  failed\n"), "\(shown)")
  }

  @Test(arguments: [JobState.succeededInPart, .succeeded])
  func `A map is called incomplete until what is missing is accepted, and lists that always`(
    _ state: JobState
  ) throws {
    var job = Job(
      id: try #require(JobID("job-a")), kind: "preplanned-area", subject: "a", title: "Casco",
      parameters: Data(), created: Date(timeIntervalSince1970: 0), position: 0)
    job.state = state
    let isOpen = state == .succeededInPart
    let copy = StoredCopy(
      installed: Date(timeIntervalSince1970: 1_795_000_000), omissions: ["Tiles: They are gone."],
      transfer: isOpen ? MapTransfer(job) : nil)
    let item = MapListItem(id: "a", kind: .area, title: "Casco", summary: nil, state: .stored(copy))
    let page = MapListPage(items: [item], banner: nil)
    let shown = TextLayout(width: 100, usesColor: false).text(of: page.text)
    #expect(shown.contains("incomplete") == isOpen)
    #expect(shown.contains("1 part left out") == !isOpen)
    #expect(shown.contains("\"Casco\" lacks Tiles: They are gone."))
  }

  @Test(
    arguments: [
      (nil, false, .done), (nil, true, .done), (.noNetwork, true, .done),
      (.unknownHost, true, .done), (.noNetwork, false, .partlyDone),
      (.unknownHost, false, .partlyDone), (.timedOut, true, .partlyDone),
      (.timedOut, false, .partlyDone),
    ] as [(ErrorCode?, Bool, ExitCode)])
  func `A list without rows for which a portal was not asked is not done`(
    _ code: ErrorCode?, _ hasRows: Bool, _ status: ExitCode
  ) {
    let row = MapListItem(
      id: "a", kind: .webMap, title: "Town", summary: nil, state: .online)
    let page = MapListPage(
      items: hasRows ? [row] : [],
      banner: code.map { Problem($0, message: "The portal did not answer.") })
    #expect(page.status == status)
  }

  @Test func `A package reports what it is and how many maps it has`() throws {
    let shown = try text(#"{"mapCount": 3}"#)
    #expect(shown.contains("  Streets and parks.\n  3 maps, stored 2026-11-18"))
    #expect(try text(#"{"mapCount": 1}"#).contains("  1 map, stored"))
  }

  @Test(arguments: [
    (true, true, "It expired on 2026-05-09 and does not open. Ask for more."),
    (true, false, "It expired on 2026-05-09. Ask for more."),
    (false, true, "It expires on 2026-05-09 and does not open then. Ask for more."),
    (false, false, "It expires on 2026-05-09. Ask for more."),
  ])
  func `A map that expires says when, and what its author says`(
    _ isExpired: Bool, _ preventsAccess: Bool, _ sentence: String
  ) throws {
    let expiration =
      #"{"date": 800000000, "message": "Ask for more.", "preventsAccess": \#(preventsAccess)}"#
    let shown = try text(#"{"expiration": \#(expiration)}"#, isExpired: isExpired)
    #expect(shown.contains(sentence))
  }
}
