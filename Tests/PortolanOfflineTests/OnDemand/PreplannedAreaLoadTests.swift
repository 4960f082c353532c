import DemoPortal
import Foundation
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Areas as code that knows the ArcGIS Maps SDK asks for them.
@Suite(.temporaryDirectory) struct PreplannedAreaLoadTests {
  @Test func `An area that was packed has its packages once it is loaded`() async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let item = try await bed.portal.item(bed.webMap)
    let task = OfflineMapTask(portalItem: item, portal: bed.portal)
    let areas = try await task.preplannedMapAreas()
    let listed = try #require(areas.first { $0.portalItem.title == "Casco Bay" })
    var area = PreplannedMapArea(portalItem: listed.portalItem)
    #expect(area.contentItems.isEmpty)
    try await area.load(from: bed.portal)
    #expect(area.packagingStatus == .complete)
    #expect(
      Set(area.contentItems.map(\.id)) == Set(try await task.packages(of: listed).map(\.id)))
    #expect(area.contentItems.count > 1)
  }

  @Test(arguments: ["Moosehead Lake", "Bold Coast"])
  func `An area that is not packaged says so when it is loaded`(_ title: String) async throws {
    let bed = try await DemoBed(in: temporaryDirectory)
    let areas = try await bed.task.preplannedMapAreas()
    var area = try #require(areas.first { $0.portalItem.title == title })
    let expected: OfflineMapError =
      area.packagingStatus == .failed
      ? .packagingFailed(area: title) : .packagingNotComplete(area: title)
    await #expect(throws: expected) { try await area.load(from: bed.portal) }
    #expect(area.contentItems.isEmpty)
  }
}
