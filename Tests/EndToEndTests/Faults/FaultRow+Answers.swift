import DemoPortal
import PortolanJSON
import PortolanJobs

extension FaultRow {
  private static let area = "https://demo.test\(FaultPhase.areaItem.path)"
  private static let data = "https://demo.test\(FaultPhase.areaData.path)"
  private static let package = "https://demo.test\(FaultPhase.packageItem.path)"

  /// The answers of a server in place of the right ones.
  static let answers: [FaultRow] = [
    FaultRow(
      .areaItem, "a sign-in page of the network", .failed(.damaged),
      "\(area) answered with the page \"Welcome to the network\".", by: .html),
    FaultRow(
      .areaData, "a sign-in page of the network", .storedInPart(.damaged),
      "\(data) answered with the page \"Welcome to the network\".", by: .html),
    FaultRow(
      .packageItem, "a sign-in page of the network", .failed(.damaged),
      "\(package) answered with the page \"Welcome to the network\".", by: .html),
    FaultRow(
      .areaItem, "an error 498 under status 200", .waitsForSignIn,
      "demo.test requires a sign-in.", by: .failure(DemoFailure(code: 498, "Invalid Token"))),
    FaultRow(
      .areaData, "an error 499 under status 200", .waitsForSignIn,
      "demo.test requires a sign-in.", by: .failure(DemoFailure(code: 499, "Token Required"))
    ),
    FaultRow(
      .areaData, "an error 500 under status 200", .storedInPart(.transient),
      "The server failed at \(data): Unable to complete operation (500).",
      by: .failure(DemoFailure(code: 500, "Unable to complete operation."))),
    FaultRow(
      .areaItem, "CONT_0001 under status 200", .failed(.absent),
      "\(area) does not exist, or is not shared with you: Item does not exist or is inaccessible "
        + "(400).",
      by: .failure(
        DemoFailure(
          code: 400, "Item does not exist or is inaccessible.", messageCode: "CONT_0001"))),
    FaultRow(
      .areaItem, "the area is still packaging", .failed(.absent),
      "The portal is still packaging \"Coast\".", heal: Self.setStatus("complete"),
      arrange: Self.setStatus("processing")),
    FaultRow(
      .areaItem, "the packaging of the area failed", .failed(.absent),
      "The portal could not package \"Coast\".", heal: Self.setStatus("complete"),
      arrange: Self.setStatus("failed")),
    FaultRow(
      .areaItem, "the item is no area", .failed(.refused),
      "\"Coast\" is a Web Map, not a Map Area.",
      afterwards: .failed(.refused)
    ) { bed in await bed.change(FaultBed.area) { $0.type = "Web Map" } },
    FaultRow(
      .packageItem, "the item is no mobile map package", .failed(.refused),
      "\"Harbor\" is a Web Map, not a Mobile Map Package.", afterwards: .failed(.refused)
    ) { bed in await bed.change(FaultBed.package) { $0.type = "Web Map" } },
    FaultRow(
      .packageList, "no package is of a kind that is known", .failed(.absent),
      "\"Coast\" has no packages that could be stored.",
      heal: { bed in
        await bed.change(FaultBed.features) { $0.type = "SQLite Geodatabase" }
        await bed.change(FaultBed.tiles) { $0.type = "Tile Package" }
      },
      arrange: { bed in
        for id in [FaultBed.features, FaultBed.tiles] {
          await bed.change(id) { $0.type = "Scene Package" }
        }
      }),
    FaultRow(
      .areaData, "the token expires", .waitsForSignIn, "demo.test requires a sign-in.",
      heal: { bed in await bed.signIn() },
      arrange: { bed in
        await bed.makePrivate()
        await bed.state.add(DemoFault(.expiredToken, path: FaultPhase.areaData.path, count: 1))
      }),
  ]

  private static func setStatus(_ status: String) -> Act {
    { bed in
      await bed.change(FaultBed.area) { $0.properties = ["status": .string(status)] }
    }
  }
}
