internal import PortolanApp
internal import PortolanJobs

/// Takes an area of the user's choice of a web map offline.
struct TakeOfflineCommand: LibraryCommand {
  static let wait = Parameter.flag(
    "wait", "Wait at the prompt until the job ends; Ctrl-C stops waiting, and it goes on.")

  static let declaration = CommandDeclaration(
    "take-offline", summary: "Take an area of a web map offline.", topic: .library,
    parameters: [OfflineMapArguments.map, OfflineMapArguments.area] + OfflineMapArguments.options
      + [wait],
    discussion: [
      "The services of the map make replicas and export tiles of the area. What the author of the map "
        + "has set for offline use holds unless an option says otherwise. A job that was stopped, by "
        + "Ctrl-C or by a power cut, goes on with what the services have begun, and starts nothing "
        + "twice. \"capabilities\" and \"estimate\" show beforehand what it would do.",
      "Layers that cannot be taken offline are left out and listed; --keep-online keeps them in the map. "
        + "An area must not cross the 180th meridian, nor lie outside of what the map covers.",
    ],
    examples: [
      .init(
        "take-offline 41281c51f9de45edaf1c8ed44bb10e30 -70.6,43.4,-69.9,43.9 --min-scale 5000000",
        "a box, with tiles from that scale on"),
      .init(
        "take-offline 41281c51f9de45edaf1c8ed44bb10e30 island.geojson --title Island",
        "a polygon, under a name of its own"),
    ])

  private let arguments: OfflineMapArguments
  private let waits: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    self.arguments = try OfflineMapArguments(parsing: arguments)
    waits = arguments.isSet(Self.wait)
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let model = try await library.offlineMaps()
    let jobs = try await library.loadedJobs()
    let request = try await arguments.request(in: session)
    let job = try await model.takeOffline(request).job
    return try await JobFollower(jobs: jobs, session: session, waits: waits).result(of: [job.id])
  }
}
