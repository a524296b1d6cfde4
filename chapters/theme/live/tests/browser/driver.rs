//! A page in Chromium, used as a reader uses it: by mouse, finger and keyboard.
//!
//! Chromium is spoken to by its DevTools protocol, over a pipe: messages of JSON, each ended by a zero byte.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

pub struct Browser {
    chromium: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Value,
    sent: u64,
    complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// A page of the built book.
    pub fn open(page: &str) -> Browser {
        let mut browser = Browser::start();
        browser.go(page);
        browser
    }

    /// An empty window.
    pub fn start() -> Browser {
        let profile = tempfile::tempdir().expect("a folder");
        let options = "--headless --no-sandbox --disable-gpu --disable-background-networking";
        // Chromium reads from the third pipe and writes to the fourth.
        let mut chromium = Command::new("sh")
            .args(["-c", "exec chromium $0 --remote-debugging-pipe \"--user-data-dir=$1\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1"])
            .args([options.as_ref(), profile.path()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = chromium.stdin.take().expect("a pipe");
        let from = BufReader::new(chromium.stdout.take().expect("a pipe"));
        let (session, complaints) = (Value::Null, Vec::new());
        let mut browser =
            Browser { chromium, to, from, session, sent: 0, complaints, _profile: profile };
        let targets = browser.send("Target.getTargets", json!({}));
        let page = targets["targetInfos"]
            .as_array()
            .and_then(|all| all.iter().find(|target| target["type"] == "page"))
            .expect("a page");
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        browser.session = browser.send("Target.attachToTarget", attach)["sessionId"].take();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.send(&format!("{domain}.enable"), json!({}));
        }
        browser.send("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        browser
    }

    pub fn go(&mut self, page: &str) {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/book");
        let (page, query) = page.split_at(page.find('?').unwrap_or(page.len()));
        let file = book.join(page).canonicalize().expect("run `mdbook build` first");
        self.send("Page.navigate", json!({ "url": format!("file://{}{query}", file.display()) }));
        self.until("document.readyState === 'complete'");
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sends a command and returns its result.
    pub fn send(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("chromium listens");
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).expect("chromium answers");
            answer.pop();
            let mut answer: Value = serde_json::from_slice(&answer).expect("chromium runs");
            if answer["id"] == self.sent {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            self.note(&answer);
        }
    }

    /// Keeps what should not happen: a message on the console, a request that leaves the machine.
    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let url = &params["request"]["url"];
        let local = ["file:", "data:"]
            .iter()
            .any(|kind| url.as_str().is_some_and(|url| url.starts_with(kind)));
        match event["method"].as_str() {
            Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded") => {
                self.complaints.push(params.to_string());
            }
            Some("Network.requestWillBeSent") if !local => self.complaints.push(url.to_string()),
            _ => {}
        }
    }

    /// What the page said on its console, and whatever it asked for elsewhere.
    pub fn complaints(&mut self) -> &[String] {
        self.evaluate("0"); // what came before it has been read
        &self.complaints
    }

    /// Nothing was said on the console, and nothing asked for elsewhere.
    #[track_caller]
    pub fn is_quiet(&mut self) {
        assert_eq!(self.complaints(), [""; 0]);
    }

    /// The page is not wider than its window.
    #[track_caller]
    pub fn fits(&mut self) {
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(self.evaluate(fits), true, "the page scrolls sideways");
    }

    /// Both, at the end of a test.
    #[track_caller]
    pub fn fits_and_is_quiet(&mut self) {
        self.fits();
        self.is_quiet();
    }

    /// Asks for pages in which nothing moves.
    pub fn wants_no_motion(&mut self) {
        let feature = json!({ "name": "prefers-reduced-motion", "value": "reduce" });
        self.send("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    /// Types a text into a field, and leaves it.
    pub fn types(&mut self, field: &str, text: &str) {
        let text = json!(text);
        self.evaluate(&format!(
            "{{ const field = document.querySelector('{field}'); field.focus(); field.value = {text}; field.dispatchEvent(new Event('input')); field.blur() }}"
        ));
    }

    /// A number that every one of these elements has as an attribute.
    pub fn attributes(&mut self, elements: &str, name: &str) -> Vec<f32> {
        let all = format!(
            "Array.from(document.querySelectorAll('{elements}'), (one) => Number(one.getAttribute('{name}')))"
        );
        serde_json::from_value(self.evaluate(&all)).expect("numbers")
    }

    /// The value of an expression, or of its promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let how = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut result = self.send("Runtime.evaluate", how);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.evaluate(expression) != true {
            assert!(begin.elapsed() < Duration::from_secs(60), "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The place at `x`, `y` of an element, from 0, 0 at its upper left to 1, 1.
    fn place(&mut self, element: &str, [x, y]: [f64; 2]) -> (f64, f64) {
        let corners = format!(
            "(({{ x, y, width, height }}) => [x + {x} * width, y + {y} * height])(document.querySelector(`{element}`).getBoundingClientRect())"
        );
        let place = self.evaluate(&corners);
        (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
    }

    /// Brings an element into the middle of the window.
    pub fn show(&mut self, element: &str) {
        self.evaluate(&format!(
            "document.querySelector('{element}').scrollIntoView({{ block: 'center' }})"
        ));
    }

    /// Drags with the mouse from one place of an element to another.
    pub fn drag(&mut self, element: &str, from: [f64; 2], to: [f64; 2]) {
        self.show(element);
        for (kind, at, buttons) in
            [("mousePressed", from, 1), ("mouseMoved", to, 1), ("mouseReleased", to, 0)]
        {
            let (x, y) = self.place(element, at);
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
            self.send("Input.dispatchMouseEvent", event);
        }
    }

    /// The same with a finger, in ten steps.
    pub fn swipe(&mut self, element: &str, from: [f64; 2], to: [f64; 2]) {
        self.show(element);
        for step in 0..=10 {
            let way = f64::from(step) / 10.0;
            let at = [0, 1].map(|i| from[i] + way * (to[i] - from[i]));
            let (x, y) = self.place(element, at);
            let kind = if step == 0 { "touchStart" } else { "touchMove" };
            let event = json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] });
            self.send("Input.dispatchTouchEvent", event);
        }
        self.send("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Touches the middle of an element.
    pub fn tap(&mut self, element: &str) {
        self.show(element);
        let (x, y) = self.place(element, [0.5, 0.5]);
        let finger = json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", finger), ("touchEnd", json!([]))] {
            let event = json!({ "type": kind, "touchPoints": points });
            self.send("Input.dispatchTouchEvent", event);
        }
    }

    /// Presses a key; `code` is its number.
    pub fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            // What a key types presses the button that has the focus.
            let text = match key {
                "Enter" => "\r",
                " " => key,
                _ => "",
            };
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text });
            self.send("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.chromium.kill();
        let _ = self.chromium.wait();
    }
}
