internal import PortolanApp
internal import PortolanJSON
internal import PortolanJobs

/// Takes areas of web maps offline.
struct DownloadCommand: LibraryCommand {
  static let ids = Parameter.argument(
    "ID",
    "The id of an area or a package, or its title, where it is on the list or a package of the portal.",
    count: .atLeastOne,
    completion: .word(.area))
  static let plan = Parameter.flag(
    "plan", "Only show what would be downloaded and whether it fits on the disk.")
  static let updateMode = Parameter.option(
    "update-mode", "MODE", "How \"sync\" keeps the area up to date, and what becomes of its edits.",
    completion: .choice(modes.map(\.rawValue)))
  static let noBasemap = Parameter.flag(
    "no-basemap", "Leave out the layers of the basemap.")
  static let withBasemap = Parameter.flag(
    "with-basemap", "Bring the map's basemap, where the area was stored without it.")
  static let basemap = Parameter.option(
    "basemap", "FILE", "A tile package of this device to show instead of the map's basemap.",
    completion: .file)
  static let stopOnErrors = Parameter.flag(
    "stop-on-errors", "Fail if a part cannot be downloaded.")
  static let continueOnErrors = Parameter.flag(
    "continue-on-errors", "Leave out parts that cannot be downloaded.")
  static let wait = Parameter.flag(
    "wait", "Wait at the prompt until the downloads end; Ctrl-C stops waiting, and they go on.")

  static let declaration = CommandDeclaration(
    "download", summary: "Take areas of web maps offline, and map packages of a portal.",
    topic: .library,
    parameters: [
      ids, plan, updateMode, noBasemap, withBasemap, basemap, stopOnErrors, continueOnErrors, wait,
    ],
    discussion: [
      "What is here already is not fetched again: a download that was stopped, by Ctrl-C or by a "
        + "power cut, goes on where it was. Each file is checked, and the map appears on the list "
        + "when it is whole. Nothing is begun if there is not enough free space.",
      "At the prompt the download continues in the background, and \"jobs\" shows its progress. "
        + "Elsewhere the command ends when the download does: with status 3 if a part could not be "
        + "downloaded, which \"retry\" requests again and \"accept\" leaves out.",
      "An area that is stored is downloaded as it was before, but for the options that are given, and "
        + "\"update\" does so, too. One that is not comes with its basemap, without parts that cannot be "
        + "downloaded, and is kept up to date as its author has set it up, unless options say otherwise.",
      "That is by scheduled updates if the area has a schedule for them, else with its services if its "
        + "packages can be synchronized, else not at all. \"jobs log\" of a download names the mode.",
      effects,
      "The mode is written into the map. Another one is given by downloading the area again: its edits "
        + "come along. \"update\" and a new download fetch what is newer on the portal, whatever the mode. "
        + "Of a package, which comes as it is, only --plan and --wait say anything.",
    ],
    examples: [
      .init("download \"Casco Bay\"", "an area that \"areas\" lists"),
      .init("download \"Casco Bay\" --plan", "its size, and whether it fits on the disk"),
    ])

  private static var modes: [DownloadOptions.UpdateMode] {
    DownloadOptions.UpdateMode.allCases
  }

  /// The meaning of each mode.
  private static var effects: String {
    let list = modes.map { mode in "\(mode.rawValue) (\(effect(of: mode)))" }
    return "Modes: " + list.joined(separator: ", ") + "."
  }

  /// The effect of "sync" on an area of a mode, and on its edits.
  private static func effect(of mode: DownloadOptions.UpdateMode) -> String {
    switch mode {
    case .noUpdates: "\"sync\" refuses it, and edits stay here"
    case .syncWithFeatureServices: "it sends edits and receives those of others"
    case .downloadScheduledUpdates: "it receives scheduled updates, and edits stay here"
    case .downloadScheduledUpdatesAndUploadNewFeatures:
      "it receives scheduled updates and sends new features, and other edits stay here"
    }
  }

  private let names: [String]
  private let onlyPlans: Bool
  private let waits: Bool
  private let options: DownloadOptions

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try arguments.values(of: Self.ids, as: .text)
    onlyPlans = arguments.isSet(Self.plan)
    waits = arguments.isSet(Self.wait)
    let mode = try arguments.value(
      of: Self.updateMode, as: .choice(Self.modes.map(\.rawValue)))
    options = DownloadOptions(
      includesBasemap: try Self.choice(arguments, Self.withBasemap, against: Self.noBasemap),
      referenceBasemap: try arguments.value(of: Self.basemap, as: .file),
      continuesOnErrors: try Self.choice(
        arguments, Self.continueOnErrors, against: Self.stopOnErrors),
      updateMode: mode.flatMap { .init(rawValue: $0) })
    guard options.referenceBasemap == nil || options.includesBasemap == nil else {
      throw UsageError("Give --basemap alone: it says which basemap is shown.")
    }
  }

  /// The value of two options that exclude each other; `nil` if neither is given.
  private static func choice(
    _ arguments: Arguments, _ yes: Parameter, against no: Parameter
  ) throws(UsageError) -> Bool? {
    switch (arguments.isSet(yes), arguments.isSet(no)) {
    case (true, true): throw UsageError("Give either \(yes.label) or \(no.label).")
    case (false, false): return nil
    case (let isYes, _): return isYes
    }
  }

  @MainActor func run(
    with library: LibraryScreens, in session: Session
  ) async throws -> CommandResult {
    let maps = try await library.loadedMaps()
    if onlyPlans { return try await plans(maps, session) }
    var ids: [JobID] = []
    var problems: [Problem] = []
    for name in names {
      do { ids.append(try await begin(name, maps, library, session)) } catch {
        guard names.count > 1 else { throw error }
        problems.append(Problem(error))
      }
    }
    try session.presenter.settle(problems, isAll: ids.isEmpty)
    let jobs = try await library.loadedJobs()
    let follower = JobFollower(jobs: jobs, session: session, waits: waits)
    var result = try await follower.result(of: ids)
    if !problems.isEmpty, result.status == .done { result.status = .partlyDone }
    return result
  }

  /// Begins one download, if there is room for it.
  @MainActor private func begin(
    _ name: String, _ maps: MapListModel, _ library: LibraryScreens, _ session: Session
  ) async throws -> JobID {
    let id = try await self.id(name, maps, session)
    let isHere = maps.state.items.contains { $0.id == id && $0.copy != nil }
    let (job, isNew) = try await maps.download(id, options: options)
    if isNew, isHere, options == DownloadOptions() {
      session.presenter.note(
        "\"\(job.title)\" is on this device already, and is downloaded again; \"update\" downloads only "
          + "what is newer on the portal.")
    } else if !isNew, job.state == .paused {
      try await library.loadedJobs().resume(job.id)
      session.presenter.note("The download of \"\(job.title)\" was paused, and continues.")
    } else if !isNew {
      session.presenter.note(
        session.attends(to: [job])
          ? "\"\(job.title)\" is being downloaded already."
          : "The download of \"\(job.title)\" was begun before, and continues.")
    }
    return job.id
  }

  /// The id of a row of the list, of an item that the last search has found, or of any other item.
  @MainActor private func id(
    _ name: String, _ maps: MapListModel, _ session: Session
  ) async throws(Problem) -> String {
    let rows = maps.state.items.filter { $0.kind != .webMap }
    // A row of the list comes first.
    if !rows.contains(where: { $0.title.lowercased() == name.lowercased() }),
      let found = session.app.portal?.itemID(named: name)
    {
      return found
    }
    do throws(Problem) { return try maps.downloadID(named: name) } catch {
      guard error.kind == .absence else { throw error }
      let titles = rows.map(\.title)
      if let found = try await packageID(name, titles, session) { return found }
      throw error.suggesting(name, among: titles)
    }
  }

  /// The id of the package of the portal that has a title; `nil` if there is none, or it is not
  /// known which portal is meant.
  ///
  /// - Throws: A problem if several have it, or the portal does not tell; that one names the title among
  ///   those that are known here which was probably meant.
  @MainActor private func packageID(
    _ title: String, _ known: [String], _ session: Session
  ) async throws(Problem) -> String? {
    guard let portal = session.app.portal, let account = session.account else { return nil }
    do throws(Problem) {
      try await account.session.restore()
      guard session.options.portal != nil || account.session.state.user != nil else { return nil }
      return try await portal.packageID(titled: title, of: session.options.portal)
    } catch {
      guard ![.ambiguous, .interrupted].contains(error.code) else { throw error }
      var problem = error
      problem.message =
        "There is no area or package \"\(title)\" on the list, and the portal could not be asked for one: "
        + error.message
      let advice = [Suggestion.sentence(for: title, among: known), error.suggestion]
        .compactMap(\.self)
      problem.suggestion = advice.isEmpty ? nil : advice.joined(separator: " ")
      throw problem
    }
  }

  @MainActor private func plans(
    _ maps: MapListModel, _ session: Session
  ) async throws -> CommandResult {
    var previews: [DownloadPreview] = []
    for name in names {
      previews.append(try await maps.preview(try await id(name, maps, session), options: options))
    }
    return PlanPage(previews: previews).result
  }
}
