import Foundation
import PortolanComposition
import PortolanDemo
import PortolanREPL
import PortolanRendering
import PortolanWeb

/// The `portolan` command: signals and the exit status; everything else is in the libraries.
@main
struct Portolan {
  static func main() async {
    StandardStreams.occupyClosedDescriptors()
    LiveProcess.prepare()
    // A closed pipe is then seen as a failed write, which ends the process quietly.
    signal(SIGPIPE, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    let console = TerminalConsole(environment: environment) { exit(ExitCode.done.rawValue) }
    let interrupts = InterruptHandler()
    let terminal = TerminalState()
    let termination = Termination()
    let signals = Signals(
      onInterrupt: { if !interrupts.interrupt() { exit(ExitCode.interrupted.rawValue) } },
      onTermination: { number in
        // What runs is stopped as by Ctrl-C, so that it leaves nothing behind; not for long.
        let isFirst = termination.note(number)
        guard isFirst, interrupts.interrupt() else {
          terminal.restore()
          exit(128 + number)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) {
          terminal.restore()
          exit(128 + number)
        }
      })
    let program = Program(
      Program.Surroundings(
        console: console, interrupts: interrupts,
        makeSession: { try makeSession($0, console, environment) },
        makeReader: { makeReader(for: $0, environment) }))
    let status = await program.run(Array(CommandLine.arguments.dropFirst()))
    signals.stop()
    exit(termination.number.map { 128 + $0 } ?? status.rawValue)
  }

  /// What commands work with: the app over the real edges of this machine.
  @MainActor private static func makeSession(
    _ options: GlobalOptions, _ console: TerminalConsole, _ environment: [String: String]
  ) throws -> Session {
    let home = HomeFolder(option: options.home, environment: environment)
    _ = try GlobalOptions.folder(home.url.path(percentEncoded: false), named: "The home folder")
    let account = LiveAccount(
      home: home, environment: environment, portal: options.portal?.absoluteString,
      isOffline: options.isOffline, drawing: PictureDrawing())
    let app = LiveApp(home: home).model(for: account)
    return Session(
      console: console, options: options, app: app, sample: BuiltSample(home: home),
      tour: LiveTour(environment: environment), demoPortal: DemoPortalStarter(),
      webApp: WebAppStarter(
        app: app, account: account.screens, tour: LiveTour(environment: environment),
        record: HomeWebAppRecord(home: home)),
      openBrowser: { openOnDesktop($0, environment) },
      openFile: { openOnDesktop($0, environment) }, account: account.screens,
      environment: environment)
  }

  /// Opens a page or a file in the desktop's program for it; `false` without a desktop.
  @MainActor private static func openOnDesktop(_ url: URL, _ environment: [String: String]) -> Bool
  {
    guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
      return false
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", url.absoluteString]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    return true
  }

  @MainActor private static func makeReader(
    for session: Session, _ environment: [String: String]
  ) -> any LineReader {
    let home = HomeFolder(option: session.options.home, environment: environment)
    let editor = EditorLineReader(for: session) {
      try home.create()
      return home.historyFile
    }
    return editor ?? PlainLineReader()
  }
}
