internal import Foundation
internal import PortolanFiles

/// Finds the completions at the cursor.
struct Completer: Sendable {
  /// The edit for the editor to make.
  struct Completion: Equatable {
    /// The number of Unicode scalars before the cursor to remove.
    var removedCount = 0
    /// The text to insert.
    var insertion = ""
    /// The candidates to list, if what is inserted leaves a choice.
    var candidates: [String] = []
  }

  let commands: CommandTable
  let source: CompletionSource

  /// Completes the word at the end of `text`, which is the text before the cursor.
  func complete(_ text: String) -> Completion {
    var words = WordSplitter.scan(text)
    let isInWord = words.last.map { $0.openQuote != nil || text.last?.isWhitespace != true } == true
    let escapes = words.last?.isEscaping == true
    guard !escapes else { return Completion() }
    let current = isInWord ? words.removeLast() : .init(start: text.endIndex)
    let request = request(after: words.map(\.text), at: current.text)
    let matches = candidates(for: request)
    guard let first = matches.first else { return Completion() }
    let removed = text[current.start...]
    let removedCount = removed.unicodeScalars.count
    if matches.count == 1 {
      let word = Self.quoted(request.prefix + first.text, openedBy: current.openQuote)
      return Completion(
        removedCount: removedCount, insertion: first.isWhole ? word + " " : Self.open(word))
    }
    let common = Self.commonPrefix(of: matches.map(\.text))
    let insertion =
      common.count > request.partial.count
      ? Self.open(Self.quoted(request.prefix + common, openedBy: current.openQuote))
      : String(removed)
    return Completion(
      removedCount: removedCount, insertion: insertion, candidates: matches.map(\.text))
  }

  /// A word to complete.
  private struct Request {
    /// The possible words.
    var kinds: [CompletionKind]
    /// The part of it that is typed.
    var partial: String
    /// The text before it in the same word: `--layer=`.
    var prefix = ""
  }

  /// A word that fits.
  private struct Candidate {
    var text: String
    /// Whether nothing can follow in the same word, as after a folder's name.
    var isWhole = true
  }

  private func request(after words: [String], at partial: String) -> Request {
    let globals = GlobalOptions.parameters
    let values = words.filter { ArgumentParser.Word($0) == .value($0) }
    let members = values.first.map(commands.members(ofFamily:)) ?? []
    let name = commands.longestName(startingWith: values)
    let type = name.flatMap { name in
      commands.commands.first {
        $0.declaration.name == name || $0.declaration.aliases.contains(name)
      }
    }
    let options = (type?.declaration.options ?? []) + globals
    if case .option(let option, let value?) = ArgumentParser.Word(partial) {
      let kind = options.first { $0.name == option }?.completion ?? .nothing
      return Request(kinds: [kind], partial: value, prefix: "--\(option)=")
    }
    if partial.hasPrefix("-"), ArgumentParser.Word(partial) != .value(partial) {
      return Request(kinds: [.choice(options.map { "--" + $0.name })], partial: partial)
    }
    if let last = words.last, case .option(let option, nil) = ArgumentParser.Word(last),
      let parameter = options.first(where: { $0.name == option }), parameter.form == .option
    {
      return Request(kinds: [parameter.completion], partial: partial)
    }
    guard let declaration = type?.declaration else {
      let first: [CompletionKind] = members.isEmpty ? [.command] : [.choice(members)]
      return Request(kinds: name == nil ? first : [], partial: partial)
    }
    let place = place(of: words, in: declaration, options)
    let mayName = values.count == 1 && !members.isEmpty
    return Request(
      kinds: (mayName ? [.choice(members)] : []) + (place.map { [$0.completion] } ?? []),
      partial: partial)
  }

  /// The argument that the next word would be.
  private func place(
    of words: [String], in declaration: CommandDeclaration, _ options: [Parameter]
  ) -> Parameter? {
    var given = -declaration.name.split(separator: " ").count  // the command's own name
    var isValue = false
    for word in words {
      switch ArgumentParser.Word(word) {
      case _ where isValue: isValue = false
      case .option(let name, nil):
        isValue = options.first { $0.name == name }?.form == .option
      case .value: given += 1
      case .option, .endOfOptions: break
      }
    }
    let arguments = declaration.arguments
    if arguments.indices.contains(given) { return arguments[given] }
    return arguments.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  private func candidates(for request: Request) -> [Candidate] {
    request.kinds.flatMap { kind in
      switch kind {
      case .nothing: [Candidate]()
      case .file: files(startingWith: request.partial)
      case .command: fitting(commands.firstWords, request.partial)
      case .choice(let words): fitting(words, request.partial)
      case .word(let kind): words(kind, request.partial)
      case .mapOrFile: words(.map, request.partial) + files(startingWith: request.partial)
      }
    }
  }

  private func words(_ kind: SessionWord, _ partial: String) -> [Candidate] {
    fitting(source.snapshot.words[kind] ?? [], partial)
  }

  /// The words that begin with `partial`, in any case.
  private func fitting(_ words: [String], _ partial: String) -> [Candidate] {
    words.filter { $0.lowercased().hasPrefix(partial.lowercased()) }.map { Candidate(text: $0) }
  }

  private func files(startingWith partial: String) -> [Candidate] {
    let cut = partial.lastIndex(of: "/").map { partial.index(after: $0) } ?? partial.startIndex
    let (folder, name) = (String(partial[..<cut]), partial[cut...])
    let path = folder.isEmpty ? "." : URL(typedPath: folder).path(percentEncoded: false)
    // A folder that cannot be listed has nothing to offer.
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let fitting = entries.filter {
      $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix("."))
    }
    return fitting.sorted().map { entry in
      var isFolder: ObjCBool = false
      let full = (path as NSString).appendingPathComponent(entry)
      let exists = unsafe FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
      let isOpen = exists && isFolder.boolValue
      return Candidate(text: folder + entry + (isOpen ? "/" : ""), isWhole: !isOpen)
    }
  }
}
